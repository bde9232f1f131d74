//! Tables for spreadsheets (RFC 4180): a page of rows, the head only on the first page, so that the pages of
//! an export are joined by appending them. A text that a spreadsheet would take for a formula is marked as
//! text.

use axum::response::{IntoResponse, Response};
use csv::{Terminator, WriterBuilder};
use http::{HeaderMap, header};

/// One field of a row, as it is shown.
pub struct Cell(String);

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        let mark = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
        Self(format!("{mark}{text}"))
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self(number.to_string())
    }
}

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        if value { "yes" } else { "no" }.into()
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(field: Option<T>) -> Self {
        field.map_or(Self(String::new()), Into::into)
    }
}

impl AsRef<[u8]> for Cell {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
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
    let head = head.map(|names| names.iter().copied().map(Cell::from).collect());
    let text = written(head.into_iter().chain(rows));
    let kind = (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned());
    let file = (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\""));
    match next {
        Some(cursor) => ([kind, file], [("x-next-cursor", cursor)], text).into_response(),
        None => ([kind, file], text).into_response(),
    }
}

fn written(rows: impl IntoIterator<Item = Vec<Cell>>) -> Vec<u8> {
    let mut table = WriterBuilder::new().terminator(Terminator::CRLF).flexible(true).from_writer(Vec::new());
    for row in rows {
        table.write_record(row).expect("rows of any length can be written into memory");
    }
    table.into_inner().expect("there is nothing to flush but memory")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn one(cell: Cell) -> String {
        String::from_utf8(written([vec![cell]])).unwrap()
    }

    #[rstest]
    #[case("plain", "plain")]
    #[case("=1+1", "'=1+1")]
    #[case("+254712345678", "'+254712345678")]
    #[case("-2", "'-2")]
    #[case("@SUM(A1)", "'@SUM(A1)")]
    #[case("\tx", "'\tx")]
    #[case("\rx", "\"'\rx\"")]
    #[case("a,b", "\"a,b\"")]
    #[case("say \"no\"", "\"say \"\"no\"\"\"")]
    #[case("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"")]
    #[case("two\nlines", "\"two\nlines\"")]
    fn a_text_is_a_text(#[case] text: &str, #[case] written: &str) {
        assert_eq!(one(text.into()), format!("{written}\r\n"));
    }

    #[test]
    fn a_number_of_ours_stays_a_number() {
        assert_eq!(one((-50).into()), "-50\r\n");
    }
}
