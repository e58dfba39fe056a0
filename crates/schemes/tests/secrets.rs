//! Constant time in the machine code: every function that takes a secret runs under Valgrind's memcheck
//! (`scripts/secrets.sh`), on the engines that it can run. The secret is marked as uninitialised: a branch or an
//! address that depends on it is an error. Without Valgrind the jobs run and nothing is marked.

#[allow(clippy::unwrap_used)]
mod secrets {
    use bilinear::abi::{context, multiples, points, target};
    use bilinear::code::Code;
    use bilinear_engine::params::generate::Generator;
    use bilinear_engine::params::{Curve, Factors};
    use bilinear_engine::{Batch, Engine, Group, Options, Research, System};
    use bilinear_field::memcheck::{hide, is_running, leaks};
    use bilinear_schemes::bls::{Bls, Scheme, SecretKey, Variant};
    use bilinear_schemes::ibe::MasterKey;
    use bilinear_schemes::predicate::{Encryptor, Pattern, Scalar};
    use bilinear_schemes::{bgn, ibe, predicate};
    use crypto_bigint::BoxedUint;
    use std::path::Path;
    use std::ptr::{null, null_mut};

    /// The folders whose public functions are searched for the claim.
    const FOLDERS: [&str; 6] = ["../params/src", "../engine/src", "src", "../cli/src", "../capi/src", "../python/src"];

    /// The functions checked here: all that claim to be constant time.
    const CHECKED: &[&str] = &[
        "prime",
        "cofactor",
        "idempotent",
        "mul_secret",
        "mul_secret",
        "fixed_sums",
        "gt_pow_secret",
        "gt_pow_secret",
        "subgroup_generators",
        // for one point, and for many
        "project",
        "project",
        "in_subgroup",
        "generate",
        "from_bytes",
        "from_hex",
        "to_hex",
        "public_key",
        "sign",
        "sign_all",
        "prove_possession",
        // for rows with tables and without, for numbers, and to identities
        "encrypt",
        "encrypt",
        "encrypt",
        "encrypt",
        "token",
        // secret keys of predicates, master keys of identity-based encryption
        "from_bytes",
        "from_bytes",
        "rerandomize",
        "extract",
        "decrypt",
        "bilinear_mul_secret",
        "bilinear_fixed_base_mul_secret",
        "bilinear_gt_pow_secret",
    ];

    /// All engines that Valgrind can run.
    const ENGINES: &[Engine] = &[Engine::Mont, Engine::Portable, Engine::Hmm, Engine::Rns];
    /// The engines for operations composed of multiples and powers, which are checked on all engines.
    const WORDS: &[Engine] = &[Engine::Mont, Engine::Portable];

    fn on_engines(engines: &[Engine], name: &str, job: impl Fn(&System, &str)) {
        // programs are recorded once for all engines, since Valgrind is slow
        let mont = System::with_engine(&Curve::named(name).unwrap(), Engine::Mont).unwrap();
        for engine in engines.iter().copied() {
            let system = match mont.on(engine) {
                Err(_) if engine == Engine::Hmm && name != "bn-258" => continue,
                system => system.unwrap(),
            };
            job(&system, &format!("{name}, {engine}"));
        }
    }

    fn secret<const N: usize>() -> [u8; N] {
        let mut k = std::array::from_fn(|i| (91 * i + 5) as u8);
        hide(&mut k);
        k
    }

    #[test]
    fn multiples_and_powers() {
        let job = |system: &System, what: &str| {
            let (p, q) = (system.generator(Group::G1), system.generator(Group::G2));
            // scalars shorter and longer than any order here, and a point that is not known to be in the group
            let unknown = system.random(Group::G1).unwrap();
            let (short, long) = (secret::<5>(), secret::<24>());
            for (point, which) in [(&p, "G1"), (&q, "G2"), (&unknown, "a random point")] {
                assert!(!leaks(|| drop(system.mul_secret(&short, point))), "mul_secret, {which}, {what}");
                assert!(!leaks(|| drop(system.mul_secret(&long, point))), "mul_secret, {which}, {what}");
            }
            let x = system.pair(&p, &q);
            assert!(!leaks(|| drop(system.gt_pow_secret(&x, &long))), "gt_pow_secret, {what}");
            let batch = Batch::new(system.clone()).on_this_thread();
            let scalars = [&short[..], &long[..]];
            let points = scalars.map(|k| (k, p.clone()));
            assert!(!leaks(|| drop(batch.mul_secret(Group::G1, &points))), "mul_secret of many, {what}");
            for (group, point) in [(Group::G1, p), (Group::G2, q)] {
                let base = batch.fixed_bases(group, &[point], 5).remove(0);
                assert!(base.has_tables());
                let sum = vec![(&short[..], &base), (&short[1..], &base)];
                assert!(!leaks(|| drop(batch.fixed_sums(group, &[sum]))), "fixed_sums, {group}, {what}");
            }
            assert!(
                !leaks(|| drop(batch.gt_pow_secret(&scalars.map(|k| (x.clone(), k))))),
                "gt_pow_secret of many, {what}"
            );
        };
        for name in ["bls12-381", "alt-bn128", "bn-258", "a-512", "d-159", "e"] {
            on_engines(ENGINES, name, job);
        }
        // curves without programs
        for engine in WORDS.iter().copied() {
            let research = Some(Research::knowing_it_is_broken());
            let options = Options { engine: Some(engine), research, ..Options::default() };
            for name in ["ss2-271", "ss3-97"] {
                let system = System::with(&Curve::named(name).unwrap(), options).unwrap();
                job(&system, &format!("{name}, {engine}"));
            }
        }
    }

    #[test]
    fn subgroups() {
        on_engines(WORDS, "a1-2x512", |system, what| {
            let public = Factors::public(system.curve()).unwrap();
            let mut primes: Vec<BoxedUint> = public.primes().cloned().collect();
            primes.iter_mut().flat_map(|p| p.as_mut_words()).for_each(hide);
            let factors = Factors::new(system.curve(), primes).unwrap();
            assert!(!leaks(|| drop(factors.prime(0))), "prime, {what}");
            assert!(!leaks(|| drop(factors.cofactor(0))), "cofactor, {what}");
            assert!(!leaks(|| drop(factors.idempotent(1))), "idempotent, {what}");
            let system = system.with_factors(&factors).unwrap();
            let p = system.generator(Group::G1);
            assert!(!leaks(|| drop(system.subgroup_generators())), "subgroup_generators, {what}");
            assert!(!leaks(|| drop(system.project(0, &p))), "project, {what}");
            let (batch, points) = (Batch::new(system.clone()), [p.clone(), p.clone()]);
            assert!(!leaks(|| drop(batch.project(0, &points))), "project of a batch, {what}");
            assert!(!leaks(|| drop(system.in_subgroup(1, &p))), "in_subgroup, {what}");
        });
    }

    #[test]
    fn signatures() {
        let material = secret::<40>();
        let mut key = None;
        assert!(!leaks(|| key = SecretKey::generate(&material, b"info").ok()), "generate");
        let key = key.unwrap();
        let bytes = key.to_bytes();
        assert!(!leaks(|| drop(SecretKey::from_bytes(&bytes[..]))), "from_bytes");
        let mut text = None;
        assert!(!leaks(|| text = Some(key.to_hex())), "to_hex");
        let text = text.unwrap();
        assert!(!leaks(|| drop(SecretKey::from_hex(&text[..]))), "from_hex");
        for variant in [Variant::MinPk, Variant::MinSig] {
            for scheme in [Scheme::Basic, Scheme::MessageAugmentation] {
                let bls = Bls::new(variant, scheme).unwrap();
                assert!(
                    !leaks(|| drop(bls.sign_all(&key, &[b"one", b"another"]))),
                    "sign_all, {variant:?}, {scheme:?}"
                );
            }
            let bls = Bls::new(variant, Scheme::ProofOfPossession).unwrap();
            assert!(!leaks(|| drop(bls.public_key(&key))), "public_key, {variant:?}");
            assert!(!leaks(|| drop(bls.sign(&key, b"message"))), "sign, {variant:?}");
            assert!(!leaks(|| drop(bls.prove_possession(&key))), "prove_possession, {variant:?}");
        }
    }

    /// Runs a job on a small curve whose order has this number of primes.
    fn composite(count: usize, job: impl Fn(&Batch, &str)) {
        let primes = [0xddb8_6378_c977_74a2_a8abu128, 0xcd2d_1b93_6545_bb3b_89ff, 0xc1c7_7544_08eb_b492_76b1];
        let primes = primes[..count].iter().map(|p| BoxedUint::from_be_slice_vartime(&p.to_be_bytes()));
        let made = Generator::new("small").insecure(true).a1_with(primes).unwrap();
        for engine in WORDS.iter().copied() {
            let system = System::with_engine(&made.curve, engine).unwrap();
            let system = system.with_factors(made.factors.as_ref().unwrap()).unwrap();
            job(&Batch::new(system).on_this_thread(), &format!("{count} primes, {engine}"));
        }
    }

    /// Returns the bytes of a key, with its secret part hidden.
    fn hidden(bytes: &[u8], secret: std::ops::Range<usize>) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        bytes[secret].iter_mut().for_each(hide);
        bytes
    }

    #[test]
    fn predicates() {
        for scheme in
            [predicate::Scheme::InnerProductOnly, predicate::Scheme::InnerProduct, predicate::Scheme::HiddenVector]
        {
            composite(scheme.primes(), |batch, what| {
                let (public, key) = predicate::setup(batch, scheme, 2).unwrap();
                let x = [Scalar::new(&secret::<16>()), Scalar::new(&secret::<3>())];
                let message = if scheme.has_message() { &secret::<9>()[..] } else { &[] };
                assert!(!leaks(|| drop(public.encrypt(batch, &[(&x, message)]))), "encrypt, {scheme}, {what}");
                let encryptor = Encryptor::new(batch.clone(), &public).unwrap();
                assert!(!leaks(|| drop(encryptor.encrypt(&[(&x, message)]))), "encrypt with tables, {scheme}, {what}");
                // the seed follows the shape and the identity
                let start = 23 + 2 + 2 * scheme.primes() + 16;
                let bytes = hidden(&key.to_bytes(), start..start + 32);
                let mut read = None;
                assert!(
                    !leaks(|| read = predicate::SecretKey::from_bytes(batch, &bytes).ok()),
                    "read_secret, {scheme}, {what}"
                );
                let pattern = match scheme {
                    predicate::Scheme::HiddenVector => Pattern::HiddenVector(vec![Some(x[0].clone()), None]),
                    _ => Pattern::InnerProduct(x.to_vec()),
                };
                let read = read.unwrap();
                assert!(!leaks(|| drop(read.token(batch, &pattern))), "token, {scheme}, {what}");
            });
        }
    }

    #[test]
    fn predicates_over_a_prime_order() {
        use predicate::Scheme::{DualSpaces, Matrices};
        on_engines(WORDS, "d-159", |system, what| {
            let batch = &Batch::new(system.clone()).on_this_thread();
            for scheme in [DualSpaces, Matrices] {
                let (public, key) = predicate::setup(batch, scheme, 2).unwrap();
                let x = [Scalar::new(&secret::<16>()), Scalar::new(&secret::<3>())];
                let message = &secret::<9>()[..];
                assert!(!leaks(|| drop(public.encrypt(batch, &[(&x, message)]))), "encrypt, {scheme}, {what}");
                let encryptor = Encryptor::new(batch.clone(), &public).unwrap();
                assert!(!leaks(|| drop(encryptor.encrypt(&[(&x, message)]))), "encrypt with tables, {scheme}, {what}");
                let bytes = hidden(&key.to_bytes(), 23 + 4 + 16..23 + 4 + 16 + 32);
                let mut read = None;
                let reading = || read = predicate::SecretKey::from_bytes(batch, &bytes).ok();
                assert!(!leaks(reading), "read_secret, {scheme}, {what}");
                // with matrices the positions of zeros are public
                let v = if scheme == Matrices { vec![7.into(), 0.into()] } else { x.to_vec() };
                let (read, pattern) = (read.unwrap(), Pattern::InnerProduct(v));
                assert!(!leaks(|| drop(read.token(batch, &pattern))), "token, {scheme}, {what}");
            }
        });
    }

    #[test]
    fn numbers() {
        composite(2, |batch, what| {
            let (public, _) = bgn::setup(batch).unwrap();
            let mut m = -5;
            hide(&mut m);
            let mut c = None;
            assert!(!leaks(|| c = public.encrypt(batch, &[m]).ok()), "encrypt, {what}");
            assert!(!leaks(|| drop(public.rerandomize(batch, &c.unwrap()))), "rerandomize, {what}");
        });
    }

    #[test]
    fn names() {
        on_engines(WORDS, "a-512", |system, what| {
            let batch = Batch::new(system.clone()).on_this_thread();
            let (public, master) = ibe::setup(&batch).unwrap();
            let bytes = hidden(&master.to_bytes(), 39..39 + 36);
            let mut read = None;
            assert!(!leaks(|| read = MasterKey::from_bytes(&batch, &bytes).ok()), "read_secret, {what}");
            let read = read.unwrap();
            assert!(!leaks(|| drop(read.extract(&batch, b"name"))), "extract, {what}");
            assert!(!leaks(|| drop(public.encrypt(&batch, &[(b"name", &secret::<9>())]))), "encrypt, {what}");
            let key = master.extract(&batch, b"name").unwrap();
            let sealed = public.encrypt(&batch, &[(b"name", b"message")]).unwrap().remove(0);
            let sealed = hidden(&sealed, 39 + 128..39 + 128 + 32);
            assert!(!leaks(|| drop(key.decrypt(&batch, &[&sealed]))), "decrypt, {what}");
        });
    }

    /// Rows of the C library: one multiple, one power and one multiple by tables each.
    #[test]
    #[allow(unsafe_code)]
    fn rows_of_the_c_library() {
        const GROUPS: [i32; 2] = [1, 3];
        let ok = |code: Code| assert_eq!(code, Code::BilinearOk);
        for engine in [c"mont", c"portable"] {
            let size = size_of::<context::Options>();
            let (engine, pairing, power) = (engine.as_ptr(), null(), null());
            let options = context::Options { size, engine, threads: 1, pairing, power, research: 0 };
            let (mut made, mut error) = (null_mut(), null_mut());
            // SAFETY: the texts end with 0, and returned objects are freed below
            ok(unsafe { context::bilinear_context_new(c"alt-bn128".as_ptr(), &options, &mut made, &mut error) });
            let [point, value] = GROUPS.map(|group| {
                let mut len = 0;
                // SAFETY: the context is not freed yet, here and below
                ok(unsafe { context::bilinear_size(made, group, null(), &mut len, &mut error) });
                let mut element = vec![0; len];
                // SAFETY: arrays have the stated lengths, here and below
                ok(unsafe { context::bilinear_generator(made, group, element.as_mut_ptr(), len, &mut error) });
                element
            });
            let (k, mut status) = (secret::<9>(), [0]);
            let (mut multiple, mut raised) = (vec![0; point.len()], vec![0; value.len()]);
            let multiply = || {
                let (from, out) = ((point.as_ptr(), point.len()), (multiple.as_mut_ptr(), multiple.len()));
                let (k, status) = ((k.as_ptr(), k.len()), status.as_mut_ptr());
                // SAFETY: as above
                ok(unsafe {
                    points::bilinear_mul_secret(
                        made, GROUPS[0], from.0, from.1, k.0, k.1, 1, 0, out.0, out.1, status, &mut error,
                    )
                });
            };
            assert!(!leaks(multiply), "bilinear_mul_secret");
            let raise = || {
                let (from, out) = ((value.as_ptr(), value.len()), (raised.as_mut_ptr(), raised.len()));
                let (k, status) = ((k.as_ptr(), k.len()), status.as_mut_ptr());
                // SAFETY: as above
                ok(unsafe {
                    target::bilinear_gt_pow_secret(made, from.0, from.1, k.0, k.1, 1, out.0, out.1, status, &mut error)
                });
            };
            assert!(!leaks(raise), "bilinear_gt_pow_secret");
            assert!(multiple != point && raised != value);
            let (mut base, mut of_base) = (null_mut(), vec![0; point.len()]);
            let (from, len) = (point.as_ptr(), point.len());
            // SAFETY: as above
            ok(unsafe {
                multiples::bilinear_fixed_base_new(made, GROUPS[0], from, len, k.len(), &mut base, &mut error)
            });
            let by_tables = || {
                let (k, out) = ((k.as_ptr(), k.len()), (of_base.as_mut_ptr(), of_base.len()));
                // SAFETY: as above
                ok(unsafe {
                    multiples::bilinear_fixed_base_mul_secret(made, base, k.0, k.1, 1, out.0, out.1, &mut error)
                });
            };
            assert!(!leaks(by_tables), "bilinear_fixed_base_mul_secret");
            assert_eq!(of_base, multiple);
            // SAFETY: the base is not used any more
            unsafe { multiples::bilinear_fixed_base_free(base) };
            // SAFETY: the context is not used any more
            unsafe { context::bilinear_context_free(made) };
        }
    }

    /// A job like the others, with a branch on a bit of a secret, and a table read at an index that depends on it.
    #[test]
    fn planted_leaks_are_seen() {
        let system = System::with_engine(&Curve::named("a-512").unwrap(), Engine::Portable).unwrap();
        let (p, k) = (system.generator(Group::G1), secret::<8>());
        let table: Vec<_> = (1..=256u32).map(|i| i * i).collect();
        assert_eq!(leaks(|| drop(if k[0] & 1 == 1 { system.mul_secret(&k, &p) } else { p.clone() })), is_running());
        let mut entry = 0;
        assert_eq!(leaks(|| entry = std::hint::black_box(table[usize::from(k[1])])), is_running());
        assert!(entry > 0 || is_running());
    }

    /// A function that claims to be constant time must be added to the list, and to a job.
    #[test]
    fn every_function_that_claims_constant_time_is_checked() {
        let mut said = vec![];
        for folder in FOLDERS {
            claims(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut said);
        }
        said.sort();
        let mut checked: Vec<String> = CHECKED.iter().map(|name| (*name).to_owned()).collect();
        checked.sort();
        assert_eq!(said, checked);
    }

    /// Collects the public functions in the files of a folder whose documentation claims that they are constant time.
    fn claims(folder: &Path, said: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                claims(&path, said);
                continue;
            }
            let mut docs = String::new();
            for line in std::fs::read_to_string(&path).unwrap().lines().map(str::trim) {
                if let Some(doc) = line.strip_prefix("///") {
                    docs += &doc.to_lowercase();
                } else if let Some(rest) =
                    line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub unsafe extern \"C\" fn "))
                {
                    let claims = docs.contains("constant time") && !docs.contains("not constant time");
                    said.extend(claims.then(|| rest.split(['(', '<']).next().unwrap_or(rest).to_owned()));
                    docs.clear();
                } else if !line.starts_with("#[") {
                    docs.clear();
                }
            }
        }
    }
}
