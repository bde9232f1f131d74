//! Players of two leagues are exchanged in the table after the draw.
