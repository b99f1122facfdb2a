// Files that the build puts beside the page. The value is their URL.

declare module '*?url' {
  const address: string;
  export default address;
}
