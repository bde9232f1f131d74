//! Tables for spreadsheets (RFC 4180): a page of rows, the head only on the first page, so that the pages of
//! an export are joined by appending them. A text that a spreadsheet would take for a formula is marked as
//! text.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, header};

/// One field of a row.
pub enum Cell {
    Text(String),
    Number(i64),
    Nothing,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        Self::Text(if value { "yes" } else { "no" }.to_owned())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(field: Option<T>) -> Self {
        field.map_or(Self::Nothing, Into::into)
    }
}

impl Cell {
    fn write(&self, out: &mut String) {
        let text = match self {
            Self::Nothing => return,
            Self::Number(number) => return out.push_str(&number.to_string()),
            Self::Text(text) => text,
        };
        let mark = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
        if text.contains(['"', ',', '\r', '\n']) {
            out.push_str(&format!("\"{mark}{}\"", text.replace('"', "\"\"")));
        } else {
            out.push_str(mark);
            out.push_str(text);
        }
    }
}

/// Whether a table is asked for.
#[must_use]
pub fn is_wanted(headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(header::ACCEPT).iter();
    accepts.filter_map(|value| value.to_str().ok()).any(|value| value.contains("text/csv"))
}

/// A page of a table called `name`; `next` is the next page's cursor.
pub fn page(
    name: &str,
    head: Option<&[&str]>,
    rows: impl IntoIterator<Item = Vec<Cell>>,
    next: Option<String>,
) -> Response {
    let mut text = String::new();
    let head = head.map(|names| names.iter().copied().map(Cell::from).collect());
    for row in head.into_iter().chain(rows) {
        for (place, cell) in row.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            cell.write(&mut text);
        }
        text.push_str("\r\n");
    }
    let kind = (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned());
    let file = (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\""));
    match next {
        Some(cursor) => ([kind, file], [("x-next-cursor", cursor)], text).into_response(),
        None => ([kind, file], text).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("plain", "plain")]
    #[case("=1+1", "'=1+1")]
    #[case("+254712345678", "'+254712345678")]
    #[case("-2", "'-2")]
    #[case("@SUM(A1)", "'@SUM(A1)")]
    #[case("\tx", "'\tx")]
    #[case("a,b", "\"a,b\"")]
    #[case("say \"no\"", "\"say \"\"no\"\"\"")]
    #[case("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"")]
    #[case("two\nlines", "\"two\nlines\"")]
    fn a_text_is_a_text(#[case] text: &str, #[case] written: &str) {
        let mut out = String::new();
        Cell::from(text).write(&mut out);
        assert_eq!(out, written);
    }

    #[test]
    fn a_number_of_ours_stays_a_number() {
        let mut out = String::new();
        Cell::from(-50).write(&mut out);
        assert_eq!(out, "-50");
    }
}
