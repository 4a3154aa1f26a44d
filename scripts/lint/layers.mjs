import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** The table of folders and what each may import (docs/architecture.md). */
const root = resolve(import.meta.dirname, '..', '..')
/** @type {Record<string, Record<string, { imports: string[], packages?: string[] }>>} */
const floors = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8'))
const rules = new Map(Object.values(floors).flatMap((folders) => Object.entries(folders)))

/** @param {string} path @param {string} pattern */
const matches = (path, pattern) =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) || path === pattern.slice(0, -2) : path === pattern

/**
 * The folder of the table that a file belongs to: the longest one that holds it. `a/*` in the table stands for each folder
 * below `a`. @param {string} file
 */
function folderOf(file) {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (rules.has(folder) || rules.has(`${dirname(folder)}/*`)) return folder
  return null
}

/** @param {string} specifier */
const packageOf = (specifier) =>
  specifier.startsWith('node:') ? specifier : specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** Why a file may not import this, or null. @param {string} file @param {string} specifier */
function problem(file, specifier) {
  const folder = folderOf(file)
  if (folder === null) return file.startsWith('src/') ? `${dirname(file)} is not in layers.json.` : null
  const { imports, packages = [] } = rules.get(folder) ?? rules.get(`${dirname(folder)}/*`)
  if (!specifier.startsWith('.')) {
    const name = packageOf(specifier)
    return packages.some((allowed) => matches(name, allowed)) ? null : `${folder} may not import the package ${name}.`
  }
  const target = relative(root, resolve(root, dirname(file), specifier.split('?')[0])).replaceAll(sep, '/')
  if (!target.startsWith('src/')) return null
  const other = folderOf(target)
  if (other === folder || imports.some((allowed) => matches(other ?? target, allowed))) return null
  return `${folder} may not import ${other ?? target}.`
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
          if (file.startsWith('src/') && textOf(source) === null) report(source, 'An import has to name its file.')
          else check(source)
        }
        return {
          ImportDeclaration(node) {
            check(node.source)
            if (!file.startsWith('src/') || packageOf(node.source.value) !== 'node:module') return
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
            context.report({ node, message: 'The contract has no clock: take the time as an argument.' })
        }
        return { NewExpression: check, CallExpression: check }
      },
    },
    /** SQL is where the tables are. */
    sql: {
      create: (context) => {
        const check = (node, text) => {
          if (typeof text === 'string' && sqlStart.test(text))
            context.report({ node, message: 'SQL belongs to src/main/library/db.' })
        }
        return {
          Literal: (node) => check(node, node.value),
          TemplateLiteral: (node) => check(node, node.quasis[0].value.cooked),
        }
      },
    },
  },
}
