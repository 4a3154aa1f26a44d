import type { Context, Emitter, Liquid, Template, Value } from 'liquidjs'
import { IfTag, isTruthy, Output, toValue, toValueSync, TypeGuards, UnlessTag } from 'liquidjs'

import type { Printable } from './markup.ts'
import { textOf } from './markup.ts'

// The engine evaluates each expression with a dozen generators, because values may be promises. Values of themes are not. So the
// most common templates are rendered directly here: texts, and outputs and conditions that name values of the page. The engine
// renders everything else, and repeats what fails here, so that it reports the mistake and its place.

/** The value of an expression that only the engine can evaluate. */
const unusual = Symbol('unusual')

/** Makes an engine render the usual templates directly. The output is the same. */
export function renderDirectly({ renderer }: Liquid): void {
  const renderWithEngine = renderer.renderTemplates.bind(renderer)

  function renderOne(template: Template, ctx: Context, emitter: Emitter): void {
    const { token } = template
    if (TypeGuards.isHTMLToken(token)) return emitter.write(token.getContent())
    if (template instanceof Output) {
      const value = valueOf(template.value, ctx)
      if (value !== unusual) return emitter.write(toValue(value))
    } else if (template instanceof IfTag || template instanceof UnlessTag) {
      const branch = branchOf(template, ctx)
      if (branch !== unusual) return renderAll(branch, ctx, emitter)
    }
    toValueSync(renderWithEngine([template], ctx, emitter))
  }

  function renderAll(templates: readonly Template[], ctx: Context, emitter: Emitter): void {
    // Checks the time limit.
    toValueSync(renderWithEngine([], ctx, emitter))
    for (const template of templates) {
      renderOne(template, ctx, emitter)
      if (ctx.breakCalled || ctx.continueCalled) return
    }
  }

  // oxlint-disable-next-line require-yield -- the engine expects a generator
  renderer.renderTemplates = function* renderTemplates(templates, ctx, emitter = new TextEmitter()) {
    renderAll(templates, ctx, emitter)
    return emitter.buffer
  }
}

/** The templates of the branch that applies. */
function branchOf(tag: IfTag | UnlessTag, ctx: Context): readonly Template[] | typeof unusual {
  for (const branch of tag.branches) {
    const value = valueOf(branch.value, ctx)
    if (value === unusual) return unusual
    const test = 'test' in branch ? branch.test : isTruthy
    if (test(toValue(value), ctx)) return branch.templates
  }
  return tag.elseTemplates ?? []
}

/** What the engine's `Value.value` returns. */
function valueOf({ initial, filters }: Value, ctx: Context): unknown {
  const operands: unknown[] = []
  try {
    for (const token of initial.postfix) {
      const value = TypeGuards.isOperatorToken(token) ? applied(token.operator, operands, ctx) : named(token, ctx)
      if (value === unusual) return unusual
      operands.push(value)
    }
    let [value] = operands
    for (const filter of filters) value = toValueSync(filter.render(value, ctx))
    return value
  } catch {
    return unusual
  }
}

function applied(operator: string, operands: unknown[], ctx: Context): unknown {
  const apply = ctx.opts.operators[operator]
  if (operator === 'not' || apply === undefined) return unusual
  const right = operands.pop()
  return toValueSync(apply(operands.pop(), right, ctx))
}

/** A literal, or a value by its path, such as `page.title`. */
function named(token: Template['token'], ctx: Context): unknown {
  if ('content' in token) return token.content
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return unusual
  let value: unknown = null
  for (const [at, prop] of token.props.entries()) {
    const key = 'content' in prop ? prop.content : null
    if (typeof key !== 'string' && typeof key !== 'number') return unusual
    value = ctx.readProperty(at === 0 ? ctx['findScope'](key) : value, key)
    // A mistake in most templates.
    if (value === undefined || isUnfinished(value)) return unusual
  }
  return value
}

/** Whether the engine must run a value first, such as that of `block.super`. */
const isUnfinished = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'next') === 'function'

class TextEmitter implements Emitter {
  buffer = ''

  write(part: Printable | null | undefined): void {
    this.buffer += textOf(part)
  }
}
