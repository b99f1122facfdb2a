// Few bodies: they are taken in the order given, and every block is compared with every other.

fn bodyAt(place: u32) -> u32 { return place; }
fn blocksApart(a: u32, b: u32) -> bool { return false; }
