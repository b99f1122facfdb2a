// Stands in for the module of an application that gives no force as a program (options.ts, `ForceProgram`).

fn acceleration(place: vec3f, velocity: vec3f, time: f32) -> vec3f { return vec3f(0.0); }
