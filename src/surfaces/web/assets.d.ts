// With `type: "file"` an import is the path of the file, from source and in the compiled program.
declare module "*.png" {
  const path: string;
  export default path;
}
declare module "*.svg" {
  const path: string;
  export default path;
}
declare module "*.webmanifest" {
  const path: string;
  export default path;
}
declare module "*.css" {
  const path: string;
  export default path;
}
