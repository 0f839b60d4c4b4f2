//! Greek letters and their names.

/// Small letters with the names LaTeX and programmers give them.
const LETTERS: [(char, &str); 24] = [
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "epsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('ο', "omicron"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('υ', "upsilon"),
    ('φ', "phi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
];

/// `lambda` for λ.
pub(crate) fn name_of(letter: char) -> Option<&'static str> {
    // A sigma at the end of a word has a form of its own, the micro sign a place of its own.
    let letter = match letter {
        'ς' => 'σ',
        'µ' => 'μ',
        letter => letter,
    };
    LETTERS.iter().find(|(known, _)| *known == letter).map(|(_, name)| *name)
}

/// λ for `lambda`.
pub(crate) fn letter_of(name: &str) -> Option<char> {
    LETTERS.iter().find(|(_, known)| *known == name).map(|(letter, _)| *letter)
}

/// What LaTeX knows a letter as, in mathematics. Those that look like Latin
/// ones have no command of their own.
pub(crate) fn latex(letter: char) -> Option<String> {
    if let Some(name) = name_of(letter) {
        return Some(if name == "omicron" { "o".to_owned() } else { format!("\\{name}") });
    }
    let name = name_of(letter.to_lowercase().next()?)?;
    Some(match name {
        "gamma" | "delta" | "theta" | "lambda" | "xi" | "pi" | "sigma" | "upsilon" | "phi" | "psi"
        | "omega" => {
            let (first, rest) = name.split_at(1);
            format!("\\{}{rest}", first.to_uppercase())
        }
        "eta" => "\\mathrm{H}".to_owned(),
        "nu" => "\\mathrm{N}".to_owned(),
        "rho" => "\\mathrm{P}".to_owned(),
        "chi" => "\\mathrm{X}".to_owned(),
        other => format!("\\mathrm{{{}}}", other[..1].to_uppercase()),
    })
}
