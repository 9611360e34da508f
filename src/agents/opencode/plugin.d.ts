/** As text: it runs inside opencode, not here. */
declare const text: string;
export default text;
