//! Tests in the area `teams`: a player's team in the official game.

mod link;
