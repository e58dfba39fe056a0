//! Tests that text and image describe the same program, and that errors in a text are reported with the line.

use crate::random::image;
use bilinear_processor::{Layout, Object, assemble, disassemble};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_program_survives_conversion_to_text(image in image()) {
        let text = disassemble(&image);
        prop_assert_eq!(assemble(&text).unwrap(), image, "{}", text);
    }

    #[test]
    fn no_text_causes_a_panic(text in "(\\.?[a-z]{0,9}[: ]{0,2}[rmw]?[0-9x]{0,12}[, ;]{0,2}\n?){0,20}") {
        if let Ok(image) = assemble(&text) {
            prop_assert_eq!(assemble(&disassemble(&image)).unwrap(), image);
        }
    }
}

#[test]
fn errors_name_the_line_and_the_reason() {
    let cases = [
        ("\n .bogus 1", "line 2: \".bogus 1\": the directives are"),
        (".bogus\u{1b}[2J", "line 1: \".bogus\\u{1b}[2J\": the directives are"),
        (".routines", "line 1: \".routines\": the directives are"),
        (".registers -1", "line 1: \"-1\" is not a decimal number, or is too large"),
        (".memory 99999999999", "line 1: \"99999999999\" is not a decimal number, or is too large"),
        (".constant 0 12", "line 1: a constant must be a hexadecimal number that begins with 0x"),
        (".constant 0 0x", "line 1: a constant must be a hexadecimal number that begins with 0x"),
        (".constant 0 0x+1_f", "line 1: a constant must be a hexadecimal number that begins with 0x"),
        (".digits 102", "line 1: the digit '2' is neither 0 nor 1"),
        ("halt\n\nfly r1", "line 3: unknown instruction \"fly\""),
        ("ADD r0, r0, r0", "line 1: unknown instruction \"ADD\""),
        ("add r0, r1", "line 1: the number of operands of add is 3, not 2"),
        ("halt 1", "line 1: the number of operands of halt is 0, not 1"),
        ("copy r0, m1", "line 1: \"m1\" is not a register, such as r0"),
        ("wred r0, r1", "line 1: \"r1\" is not a wide register, such as w0"),
        (".wide x", "line 1: \"x\" is not a decimal number, or is too large"),
        ("ld r0, r1", "line 1: \"r1\" is not a place of the memory, such as m0"),
        ("neg r, r0", "line 1: \"\" is not a decimal number, or is too large"),
        ("jump there", "line 1: label \"there\" is not defined"),
        ("a: halt\na: halt", "line 2: label \"a\" is defined twice"),
        ("jump end\nhalt\nend:", "line 1: label \"end\" is behind the last instruction"),
        ("1a: halt", "line 1: \"1a\" is not a label: labels are letters, digits and _, a letter first"),
        ("add r0, r0, r0", "line 1: instruction 0, `add r0, r0, r0`: register 0 is not below 0"),
        (".registers 1\nwmul w0, r0, r0", "line 2: instruction 0, `wmul w0, r0, r0`: wide register 0 is not below 0"),
        (".wide 1025", "line 1: the number of wide registers is 1025; the limit is 1024"),
        (".registers 2000", "line 1: the number of registers is 2000; the limit is 1024"),
        (".memory 1048577", "line 1: the number of places of the memory is 1048577; the limit is 1048576"),
        (
            ".memory 1\n.registers 1\n\nhalt\n; text\nld r0, m1",
            "line 6: instruction 1, `ld r0, m1`: address 1 is not below 1",
        ),
        ("jump 1", "line 1: instruction 0, `jump 1`: target 1 is not below 1"),
        ("load 0", "line 1: instruction 0, `load 0`: the count is 0"),
        ("a: jsr a", "line 1: instruction 0, `jsr 0`: the program has no digits"),
        (".input x 0", "line 1: input x at m0: the address is not below 0"),
        (".memory 2\n.input x 0\n.input y 0", "line 3: m0 is given twice"),
        (".memory 2\n.input x 0\n.constant 0 0x1", "line 2: m0 is given twice"),
        (".constant 0 0x1", "line 1: a constant at m0: the address is not below 0"),
        (".memory 2\n.output x 0\n\n.output x 1", "line 4: port x is given twice"),
        (".memory 2\n.output x/y 0", "line 2: \"x/y\" is not a port name"),
        (".routine a\n.routine b\nhalt", "line 2: routine \"b\" from instruction 0: routines must have a name"),
        (".routine a\u{1b}[2J\nhalt", "line 1: routine \"a\\u{1b}[2J\" from instruction 0"),
        ("halt ; a\u{1b}[2J", "line 1: comment \"a\\u{1b}[2J\" of instruction 0"),
        ("halt\n.routine late", "line 2: routine \"late\" from instruction 1"),
        (".registers 2\n.registers 2\nhalt", "line 2: .registers is given twice"),
        (".memory 2\nhalt\n.memory 3", "line 3: .memory is given twice"),
        (".wide 0\n.wide 1", "line 2: .wide is given twice"),
        ("; text", "the program has no instructions"),
    ];
    for (text, message) in cases {
        let error = assemble(text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{text:?}: {error}");
    }
}

/// Directives and comments accept tabs.
#[test]
fn tabs_are_spaces() {
    let image = assemble(".registers\t1\n.routine\ta b\nhalt\t;\ta\tb").unwrap();
    assert_eq!((image.registers, &*image.sections[0].name, &*image.comments[0].text), (1, "a b", "a\tb"));
    assert_eq!(assemble(&disassemble(&image)), Ok(image));
}

/// Errors quote no more than 40 characters of a text.
#[test]
fn errors_cut_long_texts() {
    let long = "x".repeat(100_000);
    for text in [
        format!(".{long}"),
        long.clone(),
        format!("jump {long}"),
        format!("halt\n1{long}:"),
        format!(".registers 1\n.memory 1\nld {long}, m0"),
        format!(".memory {long}"),
        format!(".memory 1\n.input {long}/ 0\nhalt"),
        format!(".routine a\n.routine {long}\nhalt"),
    ] {
        let error = assemble(&text).unwrap_err().to_string();
        assert!(error.len() < 300 && error.contains("xxx\"…"), "{error}");
    }
}

/// The shift register accepts as many digits as there may be, and no more; the error names the last line of digits.
#[test]
fn digits_have_a_limit() {
    let text = format!("{}halt", format!(".digits {}\n", "01".repeat(1 << 9)).repeat(1 << 10));
    let digits = |text: &str| assemble(text).map(|image| image.digits.len());
    assert_eq!(digits(&text), Ok(1 << 20));
    let error = digits(&text.replace("halt", ".digits 1\nhalt")).unwrap_err();
    assert_eq!(error.to_string(), "line 1025: the number of digits is 1048577; the limit is 1048576");
}

proptest! {
    #[test]
    fn a_program_survives_conversion_to_words(image in image()) {
        let object = Object::new(&image).unwrap();
        prop_assert_eq!(object.image().unwrap(), image);
    }

    /// Any words give a program or an error.
    #[test]
    fn no_object_causes_a_panic(image in image(), number in any::<u64>(), text in "[01x2]{0,4}", bits in 0..20_u32) {
        let mut object = Object::new(&image).unwrap();
        object.words[0] = format!("{number:#x}");
        let _ = object.image();
        object.words[0].clone_from(&text);
        object.digits = text;
        object.layout = Layout::new(bits, bits, bits, bits).unwrap();
        let _ = object.image();
    }
}

#[test]
fn errors_of_objects() {
    let object = Object::new(&assemble(".registers 2\n.digits 1\nadd r0, r1, r1\nhalt").unwrap()).unwrap();
    let refused = |change: &dyn Fn(&mut Object)| {
        let mut object = object.clone();
        change(&mut object);
        object.image().unwrap_err().to_string()
    };
    let words = |word: &'static str| move |object: &mut Object| object.words[1] = word.to_owned();
    assert_eq!(refused(&words("0x0")), "instruction 1: word 0x0: no instruction has opcode 0");
    assert_eq!(refused(&words("16")), "\"16\" is not a hexadecimal number that begins with 0x, or is too large");
    assert_eq!(refused(&|object| object.digits = "12".to_owned()), "the digit '2' is neither 0 nor 1");
    assert_eq!(refused(&|object| object.registers = 1), "instruction 0, `add r0, r1, r1`: register 1 is not below 1");
    let section = refused(&|object| object.routines = vec![(2, "late".to_owned())]);
    assert!(section.starts_with("routine \"late\" from instruction 2"), "{section}");
    for (comments, message) in [
        (vec![(2, "late".to_owned())], "comment \"late\" of instruction 2"),
        (vec![(0, "a\nhalt".to_owned())], "comment \"a\\nhalt\" of instruction 0"),
        (vec![(0, " a".to_owned())], "comment \" a\" of instruction 0"),
        (vec![(1, "a".to_owned()), (1, "b".to_owned())], "comment \"b\" of instruction 1"),
    ] {
        let refused = refused(&|object| object.comments.clone_from(&comments));
        assert!(refused.starts_with(message), "{refused}");
    }
}
