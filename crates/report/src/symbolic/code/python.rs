//! Formulas in Python: the standard library suffices.

use std::fmt::Write;

use super::{File, Function, rows};

impl File<'_> {
    pub(super) fn python(&self) -> String {
        let formulas = self.formulas;
        let strings = |values: &[String]| {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            self.strings(&values, "    ")
        };
        let (lengths, angles) = formulas.values();
        let about: Vec<String> = self.about().iter().map(|line| line.replace("\"\"\"", "'''")).collect();
        let about = about.join("\n").replace('\\', "\\\\");
        let places: Vec<String> = self.places.iter().map(|(k, column)| format!("({k}, {column})")).collect();
        let mut out = format!(
            "\"\"\"{about}\n\"\"\"\n\nfrom math import cos, sin  # noqa: F401\n\nLENGTHS = (\n{}\n)\nANGLES = (\n{}\n)\n\
             # The file's, m and rad.\nFILE_LENGTHS = (\n{}\n)\nFILE_ANGLES = (\n{}\n)\n# pi, in order.\nPARAMETERS = (\n{}\n)\n\
             # What the base parameters are named after.\nBASE = (\n{}\n)\n# (base parameter, parameter) of every weight.\nTERMS = (\n{}\n)\n\
             # The weights for the file's lengths, found without formulas.\nEXPECTED = (\n{}\n)\n",
            strings(&formulas.names.lengths),
            strings(&formulas.names.angles),
            self.numbers(&lengths, "    "),
            self.numbers(&angles, "    "),
            strings(&self.labels()),
            self.strings(&self.base_labels(), "    "),
            rows(&places, "    "),
            self.numbers(&self.values, "    "),
        );
        for Function { name, what, statements, .. } in &self.functions {
            let _ = write!(
                out,
                "\n\ndef {name}(lengths, angles=()):\n    \"\"\"{what}\"\"\"\n    weights = [0.0] * len(TERMS)\n{statements}    return weights\n",
            );
        }
        let (arguments, given) = match angles.is_empty() {
            true => ("lengths, pi", "lengths"),
            false => ("lengths, angles, pi", "lengths, angles"),
        };
        let _ = write!(
            out,
            "\n\ndef base_parameters({arguments}):\n    \"\"\"The base parameters of a robot with parameters pi.\"\"\"\n    \
             base = [0.0] * len(BASE)\n    for (row, column), weight in zip(TERMS, weights({given})):\n"
        );
        out + "        \
               base[row] += weight * pi[column]\n    return base\n\n\ndef self_check():\n    \
               \"\"\"The largest error of a weight for the file's lengths, relative to its size or to 1.\"\"\"\n    \
               found = weights(FILE_LENGTHS, FILE_ANGLES)\n    \
               return max((abs(x - y) / max(1.0, abs(y)) for x, y in zip(found, EXPECTED)), default=0.0)\n\n\n\
               if __name__ == \"__main__\":\n    error = self_check()\n    print(f\"largest error {error:.1e}\")\n    \
               raise SystemExit(0 if error < 1e-9 else 1)\n"
    }
}
