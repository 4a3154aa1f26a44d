import { expect, it } from 'vitest'

import { faceFor, isExact } from '../../../packages/library/fonts/usage.ts'
import { askedFaces } from '../../../packages/library/records/asked-faces.ts'

const asked = (html: string): readonly string[] =>
  askedFaces(html)
    .map(({ family, weight, style }) => `${family} ${weight} ${style}`)
    .toSorted()

it.each([
  ['a family is inherited', '<body style="font-family: Press, serif"><div><p>x</p></div>', ['Press 400 normal']],
  [
    'elements that browsers thicken and slant',
    '<body style="font-family: Press"><h1>x</h1><p><b>x</b><em>x<strong>x</strong></em></p>',
    ['Press 400 italic', 'Press 700 italic', 'Press 700 normal'],
  ],
  ['text alone asks', '<style>b { font-family: Press }</style><p><b> </b><script>x</script>', []],
  ['a class', '<style>.lead { font: italic 600 1rem/1.4 "Press" }</style><p class="big lead">x', ['Press 600 italic']],
  [
    'the rule that weighs more, then the later one, then the attribute',
    '<style>#a { font-weight: 300 } p { font: 500 1em Press } p { font-weight: 600 }</style>' +
      '<p id="a">x<p>x<p style="font-weight: 800">x',
    ['Press 300 normal', 'Press 600 normal', 'Press 800 normal'],
  ],
  [
    'the last part of a selector',
    '<style>main > ul li.x:hover a { font: 1em Press }</style><a>x',
    ['Press 400 normal'],
  ],
  [
    'variables, and rules under a condition',
    '<style>:root { --text: "Press" } @media print { p { font-family: var(--text); font-weight: var(--no, 900) } }</style><p>x',
    ['Press 900 normal'],
  ],
  ['no generated content', '<style>p::before { font-family: Press }</style><p>x', []],
  [
    'relative weights',
    '<div style="font: 300 1em Press">x<span style="font-weight: bolder">x<i style="font-weight: lighter">x',
    ['Press 100 italic', 'Press 300 normal', 'Press 400 normal'],
  ],
  ['no family of every system', '<p style="font: bold 12px Arial, sans-serif">x', []],
])('%s', (_name, html, faces) => expect(asked(html)).toEqual(faces))

it.each([
  [99, 400, 99],
  [100, 400, 100],
  [349, 400, 100],
  [350, 700, 100],
  [549, 700, 100],
  [550, 900, 400],
  [749, 900, 400],
  [750, 900, 700],
  [950, 950, 700],
])('weights relative to %i, by the table of CSS Fonts', (from, bolder, lighter) => {
  const relative = (word: string) =>
    asked(`<div style="font-family: Press; font-weight: ${from}"><p style="font-weight: ${word}">x`)
  expect([relative('bolder'), relative('lighter')]).toEqual([[`Press ${bolder} normal`], [`Press ${lighter} normal`]])
})

const face = (weight: string, style = 'normal') => ({ weight, style })

it.each([
  ['just this', [face('400'), face('700')], 700, 'normal', '700 normal', true],
  ['a variable face', [face('100 900')], 650, 'normal', '100 900 normal', true],
  ['bold from normal', [face('normal'), face('300')], 700, 'normal', 'normal normal', false],
  ['500 before what is lighter than 400', [face('500'), face('300')], 400, 'normal', '500 normal', false],
  ['lighter before bold for 450', [face('600'), face('300')], 450, 'normal', '300 normal', false],
  ['lighter for a light one', [face('400'), face('100')], 300, 'normal', '100 normal', false],
  ['bolder for a bold one', [face('600'), face('900')], 700, 'normal', '900 normal', false],
  ['oblique for italic', [face('700'), face('400', 'oblique 10deg')], 700, 'italic', '400 oblique 10deg', false],
  ['upright where nothing is slanted', [face('400')], 400, 'italic', '400 normal', false],
] as const)('a browser shows %s', (_name, faces, weight, style, shown, exact) => {
  const found = faceFor(faces, { weight, style })
  expect(found && `${found.weight} ${found.style}`).toBe(shown)
  expect(found && isExact(found, { weight, style })).toBe(exact)
})
