import fc from 'fast-check'
import { Liquid } from 'liquidjs'
import { expect, test } from 'vitest'

import { renderDirectly } from '../../../packages/sites/bundle/render/direct-rendering.ts'

const values = {
  page: { title: 'A & B', tags: ['x', 'y'], empty: [], none: null, at: { url: '../', depth: 2 }, yes: true, zero: 0 },
  list: [{ name: 'one' }, { name: 'two', last: true }],
  word: 'word',
  get computed() {
    return ['c']
  },
}

const expressions = [
  'page.title', 'page.tags', 'page.tags.size', 'page.tags[0]', 'page.tags[9]', 'page["title"]', 'page[word]', 'page.none', 'page.none.x',
  'page.at.url', 'page.at.depth', 'page.at.size', 'page.yes', 'page.zero', 'page.missing', 'missing', 'missing.x', 'word', 'word.size',
  'word.first', 'list', 'list.first.name', 'list.last.last', 'computed.first', '"text"', "'a' | upcase", '3', '-1.5', 'true', 'nil',
  'empty', 'blank', '(1..3)', 'page.title | upcase', 'page.title | raw', 'page.tags | join: ", "', 'page.tags | raw', 'word | append: page.title',
  'word | replace: "o", page.at.depth', 'missing | default: word', 'word | nothing', 'page.none | default: "d"', 'item.name', 'forloop.index',
  'forloop.last', 'page.tags == page.empty', 'page.empty == empty', 'page.zero > 1', 'page.at.depth >= 2', 'word contains "or"',
  'not page.yes', 'page.none or word', 'page.yes and page.missing', 'page.title != "x" and page.zero == 0', 'word == nil', 'block.super',
] // prettier-ignore

const expression = fc.constantFrom(...expressions)
const { tree } = fc.letrec<{ tree: string; node: string }>((tie) => {
  const body = tie('tree')
  return {
    tree: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('text ', '<b>', ' \n ', '{% break %}', '{% continue %}', '{% comment %}x{% endcomment %}'),
      expression.map((value) => `{{- ${value} }}`),
      fc.tuple(fc.constantFrom('if', 'unless'), expression, body, expression, body, body).map(
        ([tag, when, then, otherwise, second, last]) =>
          `{% ${tag} ${when} %}${then}{% elsif ${otherwise} -%}${second}{% else %}${last}{% end${tag} %}`,
      ),
      fc.tuple(fc.constantFrom('list', 'page.tags', '(1..2)', 'missing'), body).map(
        ([all, each]) => `{% for item in ${all} %}${each}{% else %}none{% endfor %}`,
      ),
      fc.tuple(expression, body).map(([value, rest]) => `{% assign word = ${value} %}${rest}`),
      body.map((inner) => `{% capture word %}${inner}{% endcapture %}{{ word }}`),
      fc.tuple(expression, body).map(([value, rest]) => `{% render 'part', item: ${value} %}${rest}`),
      fc.tuple(expression, body, body).map(
        ([value, one, two]) => `{% case ${value} %}{% when 2, "word" %}${one}{% else %}${two}{% endcase %}`,
      ),
      body.map((inner) => `{% block main %}${inner}{% endblock %}`),
      body.map((inner) => `{% block main %}{{ block.super }}${inner}{% endblock %}`),
    ),
  }
}) // prettier-ignore

function rendered(template: string, change: (liquid: Liquid) => void): string {
  const liquid = new Liquid({
    templates: { 'part.html': '<i>{{ item }}</i>{{ word }}', 'base.html': '{% block main %}{{ word }}{% endblock %}!' },
    extname: '.html',
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    ownPropertyOnly: true,
    outputEscape: (value: unknown) => `[${JSON.stringify(value) ?? ''}]`,
  })
  change(liquid)
  try {
    return String(liquid.renderSync(liquid.parse(template), {}, { globals: values }))
  } catch (error) {
    return `failed: ${String(error)}`
  }
}

test('templates are rendered directly as the engine renders them, and fail with the same message', () => {
  const seen = { fine: 0, failed: 0 }
  const template = fc.tuple(fc.constantFrom('', "{% layout 'base' %}"), tree).map((parts) => parts.join(''))
  fc.assert(
    fc.property(template, (text) => {
      const wanted = rendered(text, () => undefined)
      expect(rendered(text, renderDirectly)).toBe(wanted)
      seen[wanted.startsWith('failed: ') ? 'failed' : 'fine'] += 1
    }),
    { numRuns: 3000 },
  )
  expect(Math.min(seen.fine, seen.failed)).toBeGreaterThan(300)
})
