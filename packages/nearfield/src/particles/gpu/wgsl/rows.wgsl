// Rows of four words that hold the parts of colliders, their tree and the wind.

@group(0) @binding(6) var<storage, read> rows: array<vec4u>;

fn floatsAt(row: u32) -> vec4f { return bitcast<vec4f>(rows[row]); }
fn wordAt(word: u32) -> u32 { return rows[word / 4u][word % 4u]; }
