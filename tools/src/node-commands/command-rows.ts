/** What a person types: a line of bash in which `$K` is kubectl with its namespace, `$IMAGE` an image with busybox. */
export interface CommandRow {
  /** As a sentence. */
  readonly name: string;
  readonly script: string;
}

/** Waits for a condition of bash, for at most two minutes. */
const until = (condition: string): string => `for try in $(seq 240); do ${condition} && break; sleep 0.5; done`;
/** Runs a line in a terminal of its own, at which nobody types. */
const inTerminal = (line: string): string => `script --quiet --return --command ${quote(line)} /dev/null < /dev/null`;
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** In a container: prints its terminal's size once it is this one. */
const printSize = (size: string): string =>
  `while [ "$(stty size 2> /dev/null)" != "${size}" ]; do sleep 0.2; done; echo terminal of $(stty size)`;

const exec: readonly CommandRow[] = [
  { name: "exec prints what a command prints", script: "$K exec web -- echo hello" },
  {
    name: "exec keeps output and errors apart, and the exit code",
    script: "$K exec web -- sh -c 'echo out; echo err >&2; exit 7'",
  },
  { name: "exec of a command that a signal ends", script: "$K exec web -- sh -c 'kill -9 $$'" },
  { name: "exec passes input on and closes it", script: "printf 'one\\ntwo\\n' | $K exec -i web -- cat" },
  { name: "exec takes a megabyte of input", script: "head -c 1000000 /dev/zero | $K exec -i web -- wc -c" },
  { name: "exec gives a megabyte of output", script: "$K exec web -- head -c 1000000 /dev/zero | md5sum" },
  { name: "exec without input that is asked for ends", script: "$K exec web -- cat" },
  { name: "exec in the container that is named", script: "$K exec web -c other -- sh -c 'echo $WHO'" },
  { name: "exec of a program that there is not", script: "$K exec web -- /no/such/program" },
  { name: "exec in a container that there is not", script: "$K exec web -c nobody -- true" },
  { name: "exec in a pod that there is not", script: "$K exec nobody -- true" },
  { name: "exec in a pod that is done", script: "$K exec done -- true" },
  {
    name: "exec in a terminal has its size",
    script: inTerminal(`stty rows 31 cols 71; $K exec -it web -- sh -c ${quote(printSize("31 71"))}`),
  },
];

const attach: readonly CommandRow[] = [
  {
    name: "attach passes input on and shows what follows",
    script: `${until("$K get pod reader -o jsonpath={.status.phase} | grep -q Running")}; printf 'a line\\n' | $K attach -i reader -c main`,
  },
  { name: "attach to a pod that is done", script: "$K attach done" },
  { name: "attach to a container that there is not", script: "$K attach web -c nobody" },
];

const logs: readonly CommandRow[] = [
  { name: "logs of the only container", script: "$K logs done" },
  { name: "logs of a container by name", script: "$K logs web -c main" },
  { name: "logs of the default container", script: "$K logs web" },
  { name: "logs: the last two lines", script: "$K logs done --tail=2" },
  { name: "logs: no more than ten octets", script: "$K logs done --limit-bytes=10" },
  { name: "logs: with times", script: "$K logs done --timestamps" },
  { name: "logs: a long line, whole", script: "$K logs long | wc -lc" },
  { name: "logs: errors among them", script: "$K logs mixed | sort" },
  { name: "logs: of all containers with their names", script: "$K logs web --all-containers --prefix | sort" },
  {
    name: "logs: of the run before",
    script: `${until("$K logs crash --previous 2>/dev/null | grep -q ran")}; $K logs crash --previous`,
  },
  { name: "logs: of a run before that there is not", script: "$K logs done --previous" },
  { name: "logs: followed to the end", script: "$K logs -f slow" },
  { name: "logs: since a moment without any", script: "$K logs done --since=1s" },
  { name: "logs: of a container that there is not", script: "$K logs web -c nobody" },
  {
    name: "logs: of a container whose image there is not",
    script: `${until("$K logs unpulled 2>&1 | grep -q 'trying and failing'")}; $K logs unpulled`,
  },
  // Twelve megabytes: the kubelet rotates at ten, and looks every ten seconds.
  {
    name: "logs: followed through a rotation, no line is lost or twice",
    script:
      '$K run rotated --image=$IMAGE --image-pull-policy=IfNotPresent --restart=Never -- sh -c \'sleep 5; line=$(head -c 990 /dev/zero | tr "\\\\0" x); i=0; while [ $i -lt 12000 ]; do echo $i $line; i=$((i+1)); if [ $((i % 400)) = 0 ]; then sleep 1; fi; done\'; $K wait pod/rotated --for=jsonpath={.status.phase}=Running --timeout=120s; $K logs -f rotated | cut -d\' \' -f1 | awk \'$1 != NR - 1 { print "line", NR, "is", $1; exit } END { print NR, "lines" }\'',
  },
];

const forward: readonly CommandRow[] = [
  {
    name: "port-forward to a port of a pod",
    script: forwarding(
      "8080",
      "exec 3<>/dev/tcp/127.0.0.1/$PORT; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; tail -n 1 <&3",
    ),
  },
  {
    name: "port-forward carries a megabyte",
    script: forwarding(
      "8080",
      "exec 3<>/dev/tcp/127.0.0.1/$PORT; printf 'GET /big HTTP/1.0\\r\\n\\r\\n' >&3; tail -c 1000000 <&3 | md5sum",
    ),
  },
  {
    name: "port-forward to a port where nobody listens",
    script: forwarding("81", "exec 3<>/dev/tcp/127.0.0.1/$PORT; cat <&3; sleep 2"),
  },
  { name: "port-forward to a pod that there is not", script: "$K port-forward nobody :80" },
  { name: "port-forward to a pod that is done", script: "$K port-forward done :80" },
];

function forwarding(port: string, what: string): string {
  return `$K port-forward web :${port} > forward.out 2>&1 & forward=$!
${until("grep -q '127.0.0.1:' forward.out")}
PORT=$(sed -n 's/.*127.0.0.1:\\([0-9]*\\) .*/\\1/p' forward.out | head -n 1)
( ${what} )
kill $forward 2>/dev/null; wait $forward 2>/dev/null
sed "s/$PORT/PORT/g" forward.out | sort -u`;
}

const files: readonly CommandRow[] = [
  {
    name: "cp of a directory into a container and back",
    script:
      "mkdir -p there/deep; seq 1000 > there/deep/numbers; head -c 100000 /dev/zero > there/zeros; $K cp there web:/tmp/there -c main && $K cp web:/tmp/there back -c main; (cd back && find . -type f | sort | xargs md5sum)",
  },
  // What tar prints is cut off at some moment by kubectl itself.
  { name: "cp of a file that there is not", script: "$K cp web:/no/such/file ./nothing -c main > /dev/null 2>&1" },
];

const debug: readonly CommandRow[] = [
  {
    name: "debug by an ephemeral container that sees its target's processes",
    script: `$K debug web --image=$IMAGE --image-pull-policy=IfNotPresent --target=main --container=look --profile=general -- sh -c 'ps | grep -c "[h]ttpd"'; ${until("$K logs web -c look 2>/dev/null | grep -q .")}; $K logs web -c look`,
  },
  {
    name: "debug -it runs a command and shows its output",
    script: inTerminal(
      "$K debug web -q -it --image=$IMAGE --image-pull-policy=IfNotPresent --container=typed --profile=general -- sh -c 'sleep 1; echo hello from here'",
    ),
  },
  {
    name: "debug by a copy of the pod with another command",
    script: `$K debug done --copy-to=copy --container=main --profile=general -- sh -c 'echo copied'; ${until("$K logs copy 2>/dev/null | grep -q .")}; $K logs copy; $K get pod copy -o jsonpath='{.spec.containers[*].command}'`,
  },
  {
    name: "debug of a node sees its files",
    script: `$K debug node/$NODE -q --image=$IMAGE --image-pull-policy=IfNotPresent --profile=general -- sh -c 'ls /host | grep -x -e etc -e proc; hostname' > made; pod=$($K get pods -o name | grep node-debugger); ${until("[ $($K logs $pod 2>/dev/null | wc -l) = 3 ]")}; $K logs $pod; $K delete $pod --wait=false > /dev/null`,
  },
];

const runs: readonly CommandRow[] = [
  {
    name: "run --rm -i gives input to a new pod",
    script: `(sleep 1; printf 'in\\n') | $K run fed --rm -i -q --image=$IMAGE --image-pull-policy=IfNotPresent --restart=Never -- sh -c 'read word; sleep 1; echo got $word'`,
  },
  {
    name: "run --rm -i of a pod that fails",
    script:
      "$K run failing --rm -i -q --image=$IMAGE --image-pull-policy=IfNotPresent --restart=Never -- sh -c 'sleep 1; exit 3'",
  },
  {
    name: "run -it has the size of its terminal, and the one that it is changed to",
    script: inTerminal(
      `stty rows 33 cols 77; (${until('$K logs sized 2>/dev/null | grep -q "terminal of 33 77"')}; stty -F /dev/tty rows 40 cols 100) & $K run sized --rm -it -q --image=$IMAGE --image-pull-policy=IfNotPresent --restart=Never -- sh -c ${quote(`${printSize("33 77")}; ${printSize("40 100")}; exit 4`)}`,
    ),
  },
];

/** In the order in which they are run: what is made by one may be seen by a later one. */
export const commandRows: readonly CommandRow[] = [
  ...exec,
  ...logs,
  ...attach,
  ...forward,
  ...files,
  ...debug,
  ...runs,
];
