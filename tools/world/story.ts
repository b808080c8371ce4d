/** The newest lines are kept. Earlier ones rarely explain a failure. */
const MAX_LINES = 60;
const MAX_LENGTH = 400;
const WARN = 40;
const lines: string[] = [];

/** Adds a line to what happened in this process since the story began. */
export function tell(line: string): void {
  lines.push(line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)} …` : line);
  if (lines.length > MAX_LINES) lines.shift();
}

/** Adds a line of the log of dues, if it is a warning or an error. */
export function tellLogged(line: string): void {
  const {
    level,
    msg,
    time: _,
    pid: __,
    hostname: ___,
    ...fields
  } = JSON.parse(line) as Record<string, unknown>;
  if (Number(level) >= WARN) tell(`logged: ${msg} ${JSON.stringify(fields)}`);
}

/** Forgets what was told: a new story begins. */
export function beginStory(): void {
  lines.length = 0;
}

/** What was told since the story began, oldest first. */
export function storyLines(): readonly string[] {
  return lines;
}
