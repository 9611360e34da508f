declare const path: string;
// oxlint-disable-next-line import/no-default-export -- what an import of a file is
export default path;
