import type { Command } from './command.ts'
import { command, positional } from './command.ts'
import { globalOptions } from './help.ts'
import type { Option, Options } from './option.ts'
import { UsageError, dashed } from './option.ts'

/** The first words of all commands, with what each one does; and the second words of those that have some. */
function wordsOf(commands: readonly Command[]) {
  const first = new Map<string, string>([['help', 'explain a command']])
  const second = new Map<string, [word: string, says: string][]>()
  for (const { name, summary } of commands) {
    const [word = '', next] = name.split(' ')
    if (next === undefined) first.set(word, summary)
    else {
      if (!first.has(word)) first.set(word, '')
      second.set(word, [...(second.get(word) ?? []), [next, summary]])
    }
  }
  for (const [word, says] of first)
    if (says === '') first.set(word, (second.get(word) ?? []).map(([next]) => next).join(', '))
  return { first: [...first], second: [...second] }
}

const longNames = (options: Options): string =>
  Object.keys(options)
    .map((name) => `--${dashed(name)}`)
    .join(' ')

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const twoWords = (commands: readonly Command[]): string =>
  commands.flatMap(({ name }) => (name.includes(' ') ? [quoted(name)] : [])).join(' | ')

/** Finds the command among the words before the cursor; the same in bash and in zsh, whose arrays begin elsewhere. */
const findCommand = (
  words: string,
  start: number,
  commands: readonly Command[],
): string => `  local first='' second='' skip='' each
  for each in "\${${words}[@]:${start}}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $each in
    --library | --secrets) skip=1 ;;
    -* | help) ;;
    *) if [[ -z $first ]]; then first=$each; elif [[ -z $second ]]; then second=$each; fi ;;
    esac
  done
  local name=$first
  case "$first $second" in
  ${twoWords(commands)}) name="$first $second" ;;
  esac`

function bash(commands: readonly Command[]): string {
  const { first, second } = wordsOf(commands)
  const choices = commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { choices: all }]) =>
      all === undefined ? [] : [`  ${quoted(`${name} --${dashed(option)}`)}) words=${quoted(all.join(' '))} ;;`],
    ),
  )
  const values = [...commands.flatMap(({ options }) => Object.entries(options)), ...Object.entries(globalOptions)]
  const withValue = new Set(values.flatMap(([name, { value }]) => (value === null ? [] : [`--${dashed(name)}`])))
  const switches = new Set(values.flatMap(([name, { value }]) => (value === null ? [`--${dashed(name)}`] : [])))
  const alwaysWithValue = [...withValue].filter((name) => !switches.has(name))
  return `# Completion of galley for bash, made from its table of options.
_galley() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words=''
  local -a given=("\${COMP_WORDS[@]:0:COMP_CWORD}")
${findCommand('given', 1, commands)}
  COMPREPLY=()
  case "$name $before" in
${choices.join('\n')}
  *' --secrets') words='keychain env' ;;
  esac
  if [[ -z $words ]]; then
    case $before in
    # A value that nothing is known about; bash completes names of files.
    ${alwaysWithValue.join(' | ')}) return ;;
    esac
    if [[ $word == -* ]]; then
      case $name in
${commands.map(({ name, options }) => `      ${quoted(name)}) words=${quoted(longNames(options))} ;;`).join('\n')}
      '') words='--version' ;;
      esac
      words="$words ${longNames(globalOptions)}"
    else
      case $name in
      '') words=${quoted(first.map(([each]) => each).join(' '))} ;;
${second.map(([each, all]) => `      ${quoted(each)}) words=${quoted(all.map(([next]) => next).join(' '))} ;;`).join('\n')}
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _galley galley
`
}

/** One option, as _arguments of zsh has it. */
function zshOption([name, option]: readonly [string, Option]): string {
  const escaped = (text: string): string => text.replaceAll(/[\\:[\]]/g, '\\$&')
  const value =
    option.value === null
      ? ''
      : `:${escaped(option.value)}:${option.choices === undefined ? filesFor(option.value, '_files', ' ') : `(${option.choices.join(' ')})`}`
  return quoted(`${option.isRepeatable ? '*' : ''}--${dashed(name)}[${escaped(option.says)}]${value}`)
}

/** What completes names of files, for a value that may be one. */
const filesFor = (value: string, files: string, otherwise: string): string =>
  /FILE|DIR/.test(value) ? files : otherwise

function zsh(commands: readonly Command[]): string {
  const { first, second } = wordsOf(commands)
  const described = (all: readonly (readonly [string, string])[]): string =>
    all.map(([word, says]) => quoted(`${word}:${says}`)).join(' ')
  const lines = commands.map(({ name, positionals, options }) => {
    const specs = Object.entries(options).map(zshOption)
    const files = Object.keys(positionals).some((each) => /FILE|DIR/.test(each)) ? ` '*:file:_files'` : ` '*: : '`
    return `  ${quoted(name)}) _arguments $every ${specs.join(' ')}${files} ;;`
  })
  return `#compdef galley
# Completion of galley for zsh, made from its table of options.
_galley() {
  local -a every given all
  every=(${Object.entries(globalOptions).map(zshOption).join(' ')})
  given=("\${words[@]:0:$((CURRENT - 1))}")
${findCommand('given', 1, commands)}
  if [[ \${words[CURRENT]} != -* && -z $second ]]; then
    all=()
    case $name in
    '') all=(${described(first)}) ;;
${second.map(([word, rest]) => `    ${quoted(word)}) all=(${described(rest)}) ;;`).join('\n')}
    esac
    (( $#all )) && _describe command all && return
  fi
  case $name in
${lines.join('\n')}
  *) _arguments $every ;;
  esac
}
if [[ \${funcstack[1]} == _galley ]]; then _galley "$@"; else compdef _galley galley; fi
`
}

function fish(commands: readonly Command[]): string {
  const { first, second } = wordsOf(commands)
  const line = (condition: string, rest: string): string =>
    `complete -c galley ${condition === '' ? '' : `-n ${fishQuoted(condition)} `}${rest}`
  const word = ([each, says]: readonly [string, string], condition: string): string =>
    line(condition, `-f -a ${fishQuoted(each)} -d ${fishQuoted(says)}`)
  const option = ([name, { says, value, choices }]: readonly [string, Option], condition: string): string => {
    const takes =
      value === null
        ? ''
        : choices === undefined
          ? filesFor(value, ' -r', ' -x')
          : ` -x -a ${fishQuoted(choices.join(' '))}`
    return line(condition, `-l ${dashed(name)}${takes} -d ${fishQuoted(says)}`)
  }
  return `# Completion of galley for fish, made from its table of options.
function __galley_words
    string match -v -- '-*' (commandline -opc)[2..-1] | string match -v -- help
end
function __galley_is
    test (string join ' ' -- (__galley_words)) = "$argv[1]"
end
function __galley_runs
    string match -q -- "$argv[1] *" (string join ' ' -- (__galley_words) '')
end
${first.map((each) => word(each, '__galley_is ""')).join('\n')}
${second.flatMap(([each, all]) => all.map((next) => word(next, `__galley_is "${each}"`))).join('\n')}
${Object.entries(globalOptions)
  .map((each) => option(each, ''))
  .join('\n')}
${commands.flatMap(({ name, options }) => Object.entries(options).map((each) => option(each, `__galley_runs "${name}"`))).join('\n')}
`
}

const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`

const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish }

/** Prints the completion of all commands. */
export const completionOf = (commands: () => readonly Command[]): Command =>
  command({
    name: 'completion',
    summary: 'print what completes commands in a shell',
    detail: 'Packages install it. Otherwise, let your shell read it when it starts.',
    positionals: { SHELL: 'bash, zsh or fish' },
    examples: ['bash', 'fish'],
    run: async (context) => {
      const shell = positional(context, 0)
      const script = shells[shell]?.(commands())
      if (script === undefined) throw new UsageError(`SHELL must be one of ${Object.keys(shells).join(', ')}`)
      return { json: { shell, script }, text: script.trimEnd(), isExact: true }
    },
  })
