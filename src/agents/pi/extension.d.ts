/** As text: it runs inside pi, not here. */
declare const text: string;
export default text;
