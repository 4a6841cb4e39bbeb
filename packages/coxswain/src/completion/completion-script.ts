/** A command as completion knows it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** Without dashes. */
  readonly flags: readonly string[];
  /** The words that may follow it, each with flags of its own; a name may have several words: `create api`. */
  readonly subcommands?: readonly CompletedCommand[];
}

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];
export const isShell = (word: string): word is Shell => (shells as readonly string[]).includes(word);

/** Pure: a script that completes the first word by commands, the next by their subcommands, and later ones by flags. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case "bash":
      return bash(commands);
    case "zsh":
      return zsh(commands);
    case "fish":
      return fish(commands);
  }
}

const dashed = (flags: readonly string[]): string => flags.map((flag) => `--${flag}`).join(" ");
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** What may follow some words, and what it is. */
interface Step {
  /** Behind `coxswain`: none, `operator`, `operator create`. */
  readonly words: readonly string[];
  readonly next: readonly { readonly word: string; readonly summary: string }[];
}

/** The places at which a word is wanted, from the first on. */
function steps(commands: readonly CompletedCommand[]): Step[] {
  const paths = commands.flatMap(({ name, summary, subcommands = [] }) => [
    { path: [name], summary },
    ...subcommands.map((each) => ({ path: [name, ...each.name.split(" ")], summary: each.summary })),
  ]);
  const found = new Map<string, Step & { next: { word: string; summary: string }[] }>();
  for (const { path, summary } of paths)
    path.forEach((word, index) => {
      const words = path.slice(0, index);
      const step = found.get(words.join(" ")) ?? { words, next: [] };
      found.set(words.join(" "), step);
      // `create` of `create api` and `create webhook` is one word, and has no summary of its own.
      if (!step.next.some((each) => each.word === word))
        step.next.push({ word, summary: index === path.length - 1 ? summary : "" });
    });
  return [...found.values()];
}

/** Commands and subcommands with flags, by their words: the longest first, which a shell must try first. */
const flagged = (
  commands: readonly CompletedCommand[],
): { readonly words: string; readonly flags: readonly string[] }[] =>
  commands
    .flatMap(({ name, flags, subcommands = [] }) => [
      ...subcommands.map((each) => ({ words: `${name} ${each.name}`, flags: each.flags })),
      { words: name, flags },
    ])
    .filter(({ flags }) => flags.length > 0);

const bash = (commands: readonly CompletedCommand[]): string => `_coxswain() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
${steps(commands)
  .map(
    ({ words, next }) =>
      `    ${quoted(words.join(" "))}) COMPREPLY=($(compgen -W ${quoted(next.map((each) => each.word).join(" "))} -- "$word")) ;;`,
  )
  .join("\n")}
${flagged(commands)
  .map(({ words, flags }) => {
    const follows = `COMPREPLY=($(compgen -W ${quoted(dashed(flags))} -- "$word")) ;;`;
    return `    ${quoted(words)}|${quoted(`${words} `)}*) ${follows}`;
  })
  .join("\n")}
  esac
}
complete -o default -F _coxswain coxswain
`;

const zsh = (commands: readonly CompletedCommand[]): string => `#compdef coxswain
_coxswain() {
  local -a commands
  case "\${words[2,CURRENT-1]}" in
${steps(commands)
  .map(
    ({ words, next }) => `    ${quoted(words.join(" "))})
      commands=(${next.map(({ word, summary }) => quoted(summary === "" ? word : `${word}:${summary}`)).join(" ")})
      _describe command commands ;;`,
  )
  .join("\n")}
${flagged(commands)
  .map(({ words, flags }) => `    ${quoted(words)}|${quoted(`${words} `)}*) compadd -- ${dashed(flags)} ;;`)
  .join("\n")}
    *) _files ;;
  esac
}
compdef _coxswain coxswain
`;

const fish = (commands: readonly CompletedCommand[]): string => {
  const lines = commands.flatMap(({ name, summary, flags, subcommands = [] }) => [
    `complete -c coxswain -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...flags.map((flag) => `complete -c coxswain -n '__fish_seen_subcommand_from ${name}' -l ${flag}`),
    ...subcommands.flatMap((each) => fishSubcommand(name, each)),
  ]);
  return [...new Set(lines)].map((line) => `${line}\n`).join("");
};

/** Each word of it follows the words before; its flags follow all of them. */
function fishSubcommand(command: string, { name, summary, flags }: CompletedCommand): string[] {
  const words = name.split(" ");
  const seen = (many: readonly string[]): string =>
    many.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
  return [
    ...words.map((word, index) => {
      const before = seen([command, ...words.slice(0, index)]);
      const isLast = index === words.length - 1;
      return `complete -c coxswain -f -n '${before}; and not __fish_seen_subcommand_from ${word}' -a ${word}${isLast ? ` -d ${quoted(summary)}` : ""}`;
    }),
    ...flags.map((flag) => `complete -c coxswain -n '${seen([command, ...words])}' -l ${flag}`),
  ];
}
