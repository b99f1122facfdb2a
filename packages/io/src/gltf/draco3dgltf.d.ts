// The part of the `draco3dgltf` package (which brings no types) that draco.ts uses.

declare module 'draco3dgltf' {
  export interface Attribute {
    readonly ptr: number;
    num_components(): number;
  }
  interface Mesh {
    num_faces(): number;
    num_points(): number;
  }
  interface DecoderBuffer {
    Init(data: Int8Array, length: number): void;
  }
  interface Status {
    ok(): boolean;
    error_msg(): string;
  }
  interface QuantizationTransform {
    InitFromAttribute(attribute: Attribute): boolean;
    quantization_bits(): number;
    min_value(axis: number): number;
    range(): number;
  }
  interface Decoder {
    SkipAttributeTransform(attributeType: number): void;
    DecodeBufferToMesh(buffer: DecoderBuffer, mesh: Mesh): Status;
    GetAttributeByUniqueId(mesh: Mesh, id: number): Attribute;
    GetTrianglesUInt32Array(mesh: Mesh, byteLength: number, pointer: number): boolean;
    GetAttributeDataArrayForAllPoints(
      mesh: Mesh,
      attribute: Attribute,
      type: number,
      byteLength: number,
      pointer: number,
    ): boolean;
  }
  export interface DecoderModule {
    Decoder: new () => Decoder;
    DecoderBuffer: new () => DecoderBuffer;
    Mesh: new () => Mesh;
    AttributeQuantizationTransform: new () => QuantizationTransform;
    POSITION: number;
    DT_INT32: number;
    DT_INT8: number;
    DT_UINT8: number;
    DT_INT16: number;
    DT_UINT16: number;
    DT_FLOAT32: number;
    readonly HEAPU8: Uint8Array<ArrayBuffer>;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    destroy(object: object): void;
  }
  const draco: {
    createDecoderModule(options: object): Promise<DecoderModule>;
    // biome-ignore lint/suspicious/noExplicitAny: only tests encode, with a handful of calls
    createEncoderModule(options: object): Promise<any>;
  };
  export default draco;
}
