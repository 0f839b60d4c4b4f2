//! Reading expressions: the part of Python's grammar that robot files use.

use super::value::{Complaint, Number};

/// Tokens; a sum of as many terms is also as deep.
const LONGEST: usize = 1000;
const DEEPEST: usize = 60;

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    Number(Number),
    Text(String),
    Name(String),
    List(Vec<Expression>),
    Dict(Vec<(Expression, Expression)>),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// a < b < c
    Comparison(Box<Expression>, Vec<(&'static str, Expression)>),
    /// `yes if condition else no`
    Choice {
        condition: Box<Expression>,
        yes: Box<Expression>,
        no: Box<Expression>,
    },
    Call(Box<Expression>, Vec<(Option<String>, Expression)>),
    Index(Box<Expression>, Box<Expression>),
    Member(Box<Expression>, String),
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(String),
    Text(String),
    Name(String),
    Symbol(&'static str),
}

/// Longest first, so that `**` is not read as two `*`.
const SYMBOLS: [&str; 25] = [
    "**", "//", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "<", ">", "(", ")", "[", "]", "{", "}", ",",
    ":", ".", "=", "!", "|",
];

/// Parses an expression; also says how many tokens it has, which bounds the work
/// and the depth of evaluating it.
pub(super) fn parse(text: &str) -> Result<(Expression, usize), Complaint> {
    let tokens = tokens(text)?;
    if tokens.len() > LONGEST {
        return Err(Complaint::new("the expression is too long", "split it into properties"));
    }
    let mut parser = Parser { text, tokens, at: 0, depth: 0 };
    let expression = parser.choice()?;
    let count = parser.tokens.len();
    if parser.at < count { Err(parser.unexpected()) } else { Ok((expression, count)) }
}

fn tokens(text: &str) -> Result<Vec<Token>, Complaint> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first == '\'' || first == '"' {
            let end = rest[1..].find(first).ok_or_else(|| {
                Complaint::new(format!("a text in `{text}` is not closed"), "add the quotation mark")
            })?;
            tokens.push(Token::Text(rest[1..=end].to_owned()));
            end + 2
        } else if first.is_ascii_digit()
            || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            let length = number_length(rest);
            tokens.push(Token::Number(rest[..length].to_owned()));
            length
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(Token::Name(rest[..length].to_owned()));
            length
        } else {
            let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)).ok_or_else(|| {
                Complaint::new(format!("`{first}` in `{text}` is not part of an expression"), "remove it")
            })?;
            tokens.push(Token::Symbol(symbol));
            symbol.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let sign_of_exponent = matches!(bytes[at], b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E');
        let exponent = matches!(bytes[at], b'e' | b'E')
            && bytes.get(at + 1).is_some_and(|next| next.is_ascii_digit() || matches!(next, b'+' | b'-'));
        if !(bytes[at].is_ascii_digit() || bytes[at] == b'.' || exponent || (at > 0 && sign_of_exponent)) {
            break;
        }
        at += 1;
    }
    at
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

type Parsed = Result<Expression, Complaint>;

impl Parser<'_> {
    fn unexpected(&self) -> Complaint {
        let found = match self.tokens.get(self.at) {
            None => "its end".to_owned(),
            Some(Token::Number(text) | Token::Text(text) | Token::Name(text)) => format!("`{text}`"),
            Some(Token::Symbol(symbol)) => format!("`{symbol}`"),
        };
        Complaint::new(format!("`{}` is not an expression, at {found}", self.text), "correct it")
    }

    fn take(&mut self, symbols: &[&'static str]) -> Option<&'static str> {
        let Some(Token::Symbol(found)) = self.tokens.get(self.at) else { return None };
        let symbol = symbols.iter().find(|symbol| *symbol == found)?;
        self.at += 1;
        Some(symbol)
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), Complaint> {
        self.take(&[symbol]).map(|_| ()).ok_or_else(|| self.unexpected())
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Name(name)) if name == word);
        self.at += usize::from(found);
        found
    }

    fn choice(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Complaint::new("the expression is nested too deeply", "split it into properties"));
        }
        let mut expression = self.disjunction()?;
        if self.word("if") {
            let condition = Box::new(self.disjunction()?);
            if !self.word("else") {
                return Err(self.unexpected());
            }
            let no = Box::new(self.choice()?);
            expression = Expression::Choice { condition, yes: Box::new(expression), no };
        }
        self.depth -= 1;
        Ok(expression)
    }

    fn disjunction(&mut self) -> Parsed {
        let mut left = self.conjunction()?;
        while self.word("or") {
            left = Expression::Binary("or", Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed {
        let mut left = self.negation()?;
        while self.word("and") {
            left = Expression::Binary("and", Box::new(left), Box::new(self.negation()?));
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed {
        let mut negated = 0;
        while self.word("not") {
            negated += 1;
        }
        let expression = self.comparison()?;
        // Pairs of negations still turn a value into a truth.
        let count = if negated > 2 { 2 - negated % 2 } else { negated };
        Ok((0..count).fold(expression, |inner, _| Expression::Unary("not", Box::new(inner))))
    }

    fn comparison(&mut self) -> Parsed {
        let left = self.sum()?;
        let mut others = Vec::new();
        loop {
            let operator = if let Some(symbol) = self.take(&["==", "!=", "<=", ">=", "<", ">"]) {
                symbol
            } else if self.word("in") {
                "in"
            } else if self.word("is") {
                if self.word("not") { "!=" } else { "==" }
            } else if matches!(&self.tokens[self.at.min(self.tokens.len())..],
                [Token::Name(a), Token::Name(b), ..] if a == "not" && b == "in")
            {
                self.at += 2;
                "not in"
            } else {
                break;
            };
            others.push((operator, self.sum()?));
        }
        Ok(if others.is_empty() { left } else { Expression::Comparison(Box::new(left), others) })
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        while let Some(symbol) = self.take(&["+", "-"]) {
            left = Expression::Binary(symbol, Box::new(left), Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.signed()?;
        while let Some(symbol) = self.take(&["*", "//", "/", "%"]) {
            left = Expression::Binary(symbol, Box::new(left), Box::new(self.signed()?));
        }
        Ok(left)
    }

    fn signed(&mut self) -> Parsed {
        let mut negative = false;
        while let Some(symbol) = self.take(&["+", "-"]) {
            negative ^= symbol == "-";
        }
        let power = self.power()?;
        Ok(if negative { Expression::Unary("-", Box::new(power)) } else { power })
    }

    fn power(&mut self) -> Parsed {
        let base = self.postfix()?;
        if self.take(&["**"]).is_none() {
            return Ok(base);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Complaint::new("the expression is nested too deeply", "split it into properties"));
        }
        let exponent = self.signed()?;
        self.depth -= 1;
        Ok(Expression::Binary("**", Box::new(base), Box::new(exponent)))
    }

    fn postfix(&mut self) -> Parsed {
        let mut expression = self.atom()?;
        let mut links = 0;
        while let Some(symbol) = self.take(&["(", "[", "."]) {
            links += 1;
            if links > DEEPEST {
                return Err(self.unexpected());
            }
            expression = match symbol {
                "(" => Expression::Call(Box::new(expression), self.arguments()?),
                "[" => {
                    let index = self.choice()?;
                    self.expect("]")?;
                    Expression::Index(Box::new(expression), Box::new(index))
                }
                _ => match self.tokens.get(self.at) {
                    Some(Token::Name(name)) => {
                        let name = name.clone();
                        self.at += 1;
                        Expression::Member(Box::new(expression), name)
                    }
                    _ => return Err(self.unexpected()),
                },
            };
        }
        Ok(expression)
    }

    fn arguments(&mut self) -> Result<Vec<(Option<String>, Expression)>, Complaint> {
        let mut arguments = Vec::new();
        while self.take(&[")"]).is_none() {
            let key = match &self.tokens[self.at.min(self.tokens.len())..] {
                [Token::Name(name), Token::Symbol("="), ..] => Some(name.clone()),
                _ => None,
            };
            self.at += 2 * usize::from(key.is_some());
            arguments.push((key, self.choice()?));
            if self.take(&[","]).is_none() {
                self.expect(")")?;
                break;
            }
        }
        Ok(arguments)
    }

    fn items(&mut self, close: &'static str) -> Result<Vec<Expression>, Complaint> {
        let mut items = Vec::new();
        while self.take(&[close]).is_none() {
            items.push(self.choice()?);
            if self.take(&[","]).is_none() {
                self.expect(close)?;
                break;
            }
        }
        Ok(items)
    }

    fn atom(&mut self) -> Parsed {
        if self.take(&["("]).is_some() {
            let start = self.at;
            let mut items = self.items(")")?;
            let tuple = items.len() != 1
                || self.tokens[start..self.at].ends_with(&[Token::Symbol(","), Token::Symbol(")")]);
            return Ok(match items.pop() {
                Some(only) if !tuple => only,
                last => Expression::List(items.into_iter().chain(last).collect()),
            });
        }
        if self.take(&["["]).is_some() {
            return Ok(Expression::List(self.items("]")?));
        }
        if self.take(&["{"]).is_some() {
            let mut entries = Vec::new();
            while self.take(&["}"]).is_none() {
                let key = self.choice()?;
                self.expect(":")?;
                entries.push((key, self.choice()?));
                if self.take(&[","]).is_none() {
                    self.expect("}")?;
                    break;
                }
            }
            return Ok(Expression::Dict(entries));
        }
        let expression = match self.tokens.get(self.at) {
            Some(Token::Number(text)) => Number::parse(text).map(Expression::Number),
            Some(Token::Text(text)) => Some(Expression::Text(text.clone())),
            Some(Token::Name(name)) if !is_keyword(name) => Some(Expression::Name(name.clone())),
            _ => None,
        };
        let expression = expression.ok_or_else(|| self.unexpected())?;
        self.at += 1;
        Ok(expression)
    }
}

fn is_keyword(name: &str) -> bool {
    matches!(name, "if" | "else" | "and" | "or" | "not" | "in" | "is" | "for" | "lambda")
}
