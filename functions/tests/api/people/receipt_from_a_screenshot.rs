//! A receipt seen on somebody else's screenshot is typed by a thief who once had that phone pay KSh 1.
