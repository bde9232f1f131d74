//! The official game never says that points are final, and the season is left.
