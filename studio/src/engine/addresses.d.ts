// Files that the build puts beside the page: their address.

declare module '*?url' {
  const address: string;
  export default address;
}
