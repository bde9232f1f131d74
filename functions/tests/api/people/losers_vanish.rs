//! Eight losers of ten make their teams vanish from the official game before the points are final.
