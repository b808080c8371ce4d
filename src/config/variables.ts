/** The environment variables of a process or of an env file. */
export type Variables = Readonly<Record<string, string | undefined>>;
