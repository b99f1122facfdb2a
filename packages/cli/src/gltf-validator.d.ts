// Khronos' glTF validator, as far as tests use it. The package has no declarations of its own.

declare module 'gltf-validator' {
  export function validateBytes(
    bytes: Uint8Array,
  ): Promise<{ readonly issues: { readonly messages: readonly object[] } }>;
}
