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
    /** No line of a process' log quotes an error: `faultReason` and `faultPlace` say which it was, and where. */
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
              message: 'A line of the log may not quote an error. Use faultReason or faultPlace.',
            })
        },
      }),
    },
    /** Every import is in the allow-list of its folder. */
    layers: {
      create(context) {
        const file = relative(root, context.filename).replaceAll(sep, '/')
        /** @param {{ type: string, value?: unknown } | null | undefined} source */
        const check = (source) => {
          if (typeof source?.value !== 'string') return
          const message = problem(file, source.value)
          if (message !== null) context.report({ node: source, message: `${message} See layers.json.` })
        }
        return {
          ImportDeclaration: (node) => check(node.source),
          ExportNamedDeclaration: (node) => check(node.source),
          ExportAllDeclaration: (node) => check(node.source),
          ImportExpression: (node) => check(node.source),
          TSImportType: (node) => check(node.source ?? node.argument?.literal),
        }
      },
    },
  },
}
