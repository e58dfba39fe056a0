//! The names of engines and peers in tables and pictures.

use bilinear_engine::Engine;

/// Returns true if the label is the name of one of our engines.
pub(crate) fn is_engine(label: &str) -> bool {
    Engine::ALL.iter().any(|engine| engine.name() == label)
}

/// Returns the name of `label` in the results. An unknown label is that of a build of PBC, named after its folder.
pub(crate) fn title(label: &str) -> String {
    match label {
        "blst" => "blst".to_owned(),
        "ark" => "arkworks".to_owned(),
        "gnark" => "gnark-crypto".to_owned(),
        "mcl" => "mcl".to_owned(),
        "relic" => "RELIC".to_owned(),
        "pbc" => "PBC".to_owned(),
        "gmp" => "GMP".to_owned(),
        engine if is_engine(engine) => engine.to_owned(),
        folder => format!("PBC ({folder})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_titles() {
        let titles = ["ifma", "blst", "ark", "gnark", "mcl", "relic", "pbc", "gmp", "zen"].map(title);
        assert_eq!(titles, ["ifma", "blst", "arkworks", "gnark-crypto", "mcl", "RELIC", "PBC", "GMP", "PBC (zen)"]);
    }
}
