/** A command as completion knows it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** Without dashes. */
  readonly flags: readonly string[];
}

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];
export const isShell = (word: string): word is Shell => (shells as readonly string[]).includes(word);

/** Pure: a script that completes the first word by commands and later ones by the flags of the command. */
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

const bash = (commands: readonly CompletedCommand[]): string => `_coxswain() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(" "))} -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${commands
  .filter(({ flags }) => flags.length > 0)
  .map(({ name, flags }) => `    ${name}) COMPREPLY=($(compgen -W ${quoted(dashed(flags))} -- "$word")) ;;`)
  .join("\n")}
  esac
}
complete -o default -F _coxswain coxswain
`;

const zsh = (commands: readonly CompletedCommand[]): string => `#compdef coxswain
_coxswain() {
  if (( CURRENT == 2 )); then
    local -a commands
    commands=(${commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(" ")})
    _describe command commands
    return
  fi
  case $words[2] in
${commands
  .filter(({ flags }) => flags.length > 0)
  .map(({ name, flags }) => `    ${name}) compadd -- ${dashed(flags)} ;;`)
  .join("\n")}
    *) _files ;;
  esac
}
compdef _coxswain coxswain
`;

const fish = (commands: readonly CompletedCommand[]): string =>
  commands
    .flatMap(({ name, summary, flags }) => [
      `complete -c coxswain -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...flags.map((flag) => `complete -c coxswain -n '__fish_seen_subcommand_from ${name}' -l ${flag}`),
    ])
    .map((line) => `${line}\n`)
    .join("");
