import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

const root = resolve(import.meta.dirname, '..', '..')

/**
 * The table of floors (docs/architecture.md), by package or part of the app: a folder may import those of the floors above it
 * in the list, and not its neighbours. `.` is the rest of the part. `only`: the packages that a folder may import.
 * @type {Record<string, { floors: string[][], only?: Record<string, string[]> }>}
 */
const layers = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8'))
const parts = Object.keys(layers).toSorted((a, b) => b.length - a.length)

/** @param {string} path @param {string} pattern */
const matches = (path, pattern) =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) || path === pattern.slice(0, -2) : path === pattern

/**
 * Where a file stands in the table, or null: its part, its folder there, and the floor of that folder. `a/*` stands for each
 * folder below `a`. @param {string} file
 */
function standing(file) {
  const part = parts.find((each) => file.startsWith(`${each}/`))
  if (part === undefined) return null
  const { floors } = layers[part]
  for (let folder = dirname(relative(part, file)); ; folder = dirname(folder)) {
    const floor = floors.findIndex((names) => names.includes(folder) || names.includes(`${dirname(folder)}/*`))
    if (floor !== -1) return { part, floor, folder }
    if (folder === '.') return null
  }
}

/** `packages/a` of a file in it; null for the app, tests and scripts. @param {string} file */
const workspaceOf = (file) => /^packages\/[^/]+/.exec(file)?.[0] ?? null

/** What others see of a package: it may name each of its files. @param {string} file */
const isEntry = (file) => /^packages\/[^/]+\/(?:[^/]+\/)?(?:index|late)\.ts$/.test(file)

/** @type {Map<string, Set<string>>} */
const declared = new Map()

/** The packages that a workspace declares. @param {string} workspace */
function dependenciesOf(workspace) {
  const known = declared.get(workspace)
  if (known) return known
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
  const names = new Set(Object.keys(dependencies))
  declared.set(workspace, names)
  return names
}

/** @param {string} specifier */
const packageOf = (specifier) =>
  specifier.startsWith('node:') ? specifier : specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** Whether a file is part of the product. @param {string} file */
const isSource = (file) => /^(?:src|packages)\//.test(file)

/** Why a file may not import this package, or null. @param {string} file @param {string} specifier */
function packageProblem(file, specifier) {
  const name = packageOf(specifier)
  const workspace = workspaceOf(file)
  const { part, folder } = standing(file) ?? { part: workspace, folder: '.' }
  const only = layers[part]?.only?.[folder] ?? layers[part]?.only?.['.']
  const isDeclared = workspace === null || name.startsWith('node:') || dependenciesOf(workspace).has(name)
  // Packages of this repository have several entries, of which some are pure.
  const entry = name.startsWith('@galley/') ? specifier : name
  const isListed = only === undefined || only.some((allowed) => matches(entry, allowed))
  return isDeclared && isListed ? null : `${dirname(file)} may not import ${entry}.`
}

/** Why a file may not import this, or null. @param {string} file @param {string} specifier */
function problem(file, specifier) {
  if (!isSource(file)) return null
  const own = standing(file)
  if (own === null && !isEntry(file)) return `${dirname(file)} is not in layers.json.`
  if (!specifier.startsWith('.')) return packageProblem(file, specifier)
  const target = relative(root, resolve(root, dirname(file), specifier.split('?')[0])).replaceAll(sep, '/')
  if (!isSource(target)) return null
  if (workspaceOf(target) !== workspaceOf(file)) return `${dirname(file)} may import other packages by name only.`
  if (isEntry(file)) return null
  const other = standing(target)
  const isBelow =
    other !== null &&
    !isEntry(target) &&
    (other.part === own.part
      ? other.floor < own.floor || other.folder === own.folder
      : own.part.startsWith(`${other.part}/`))
  return isBelow ? null : `${dirname(file)} may not import ${dirname(target)}.`
}

/** The text of a literal or of a template without parts; null for anything else. */
function textOf(node) {
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked
  return typeof node?.value === 'string' ? node.value : null
}

const sqlStart =
  /^\s*(?:SELECT\s|WITH\s|INSERT\s+(?:OR|INTO)\s|REPLACE\s+INTO\s|UPDATE\s|DELETE\s+FROM\s|PRAGMA\s|(?:CREATE|ALTER|DROP)\s+\w+\s|ATTACH\s|BEGIN\b|COMMIT\b|ROLLBACK\b|VACUUM\b)/

/** Whether a part of this expression is the message of an error, which may quote anything. @param {any} node */
function quotesMessage(node) {
  if (Array.isArray(node)) return node.some(quotesMessage)
  if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return false
  // One that Galley has just made says what Galley says.
  if (node.type === 'MemberExpression' && node.property.name === 'message') return node.object.type !== 'NewExpression'
  if (node.type === 'CallExpression' && node.callee.name === 'String')
    return /^(?:error|fault|problem|reason)$/.test(node.arguments[0]?.name ?? '')
  return Object.entries(node).some(([key, part]) => key !== 'parent' && quotesMessage(part))
}

/** Names of functions that write a line to the log of a process. */
const logs = /^(?:log|report|trace)$/

export default {
  meta: { name: 'galley' },
  rules: {
    /** No line of a process' log quotes an error: `faultReason` and `describeFault` say which it was, and where. */
    'log-lines': {
      create: (context) => ({
        CallExpression(node) {
          const { callee } = node
          const isLog =
            callee.type === 'MemberExpression'
              ? callee.property.name === 'write' && /log/i.test(callee.object.name ?? '')
              : logs.test(callee.name ?? '')
          if (isLog && quotesMessage(node.arguments))
            context.report({
              node,
              message: 'A line of the log may not quote an error. Use faultReason or describeFault.',
            })
        },
      }),
    },
    /** Every import is in the allow-list of its folder. */
    layers: {
      create(context) {
        const file = relative(root, context.filename).replaceAll(sep, '/')
        const report = (node, message) => context.report({ node, message: `${message} See layers.json.` })
        /** @param {{ type: string, value?: unknown } | null | undefined} source */
        const check = (source) => {
          const specifier = textOf(source)
          const message = specifier === null ? null : problem(file, specifier)
          if (message !== null) report(source, message)
        }
        /** Imports whose target is computed could lead anywhere. */
        const checkCall = (source) => {
          if (isSource(file) && textOf(source) === null) report(source, 'An import has to name its file.')
          else check(source)
        }
        return {
          ImportDeclaration(node) {
            check(node.source)
            if (!isSource(file) || packageOf(node.source.value) !== 'node:module') return
            for (const each of node.specifiers)
              if (each.imported?.name !== 'SourceMap') report(each, `${file} may not load modules by itself.`)
          },
          CallExpression(node) {
            if (node.callee.name === 'require') checkCall(node.arguments[0] ?? node)
          },
          ExportNamedDeclaration: (node) => check(node.source),
          ExportAllDeclaration: (node) => check(node.source),
          ImportExpression: (node) => checkCall(node.source),
          TSImportType: (node) => check(node.source ?? node.argument?.literal),
        }
      },
    },
    /** No date without a given time. */
    'no-clock': {
      create: (context) => {
        const check = (node) => {
          if (node.callee.name === 'Date' && (node.type === 'CallExpression' || node.arguments.length === 0))
            context.report({ node, message: 'Pure code has no clock: take the time as an argument.' })
        }
        return { NewExpression: check, CallExpression: check }
      },
    },
    /** SQL is where the tables are. */
    sql: {
      create: (context) => {
        const check = (node, text) => {
          if (typeof text === 'string' && sqlStart.test(text))
            context.report({ node, message: 'SQL belongs to packages/library/db.' })
        }
        return {
          Literal: (node) => check(node, node.value),
          TemplateLiteral: (node) => check(node, node.quasis[0].value.cooked),
        }
      },
    },
  },
}
