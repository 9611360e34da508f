/** `brief` is what stands beside the title where there is one line, `about` what stands below it where there are two. */
export type Row = { title: string; about: string; brief: string; mark: string };
