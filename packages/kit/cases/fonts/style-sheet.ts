import { font } from '../../archives/sample-files.ts'
import { addressesIn, fetchSheet, whySheetUrlsWrong } from '../../judge/fonts-answer.ts'
import { verdict } from '../../judge/verdict.ts'
import type { Case } from '../../suite/case.ts'
import { advice } from '../../suite/case.ts'

/** A style sheet whose references must resolve to these files, in order. */
const sheet = (
  id: string,
  name: string,
  files: readonly string[],
  css: (dummy: (file: string) => string) => string,
): Case => ({
  id,
  name,
  rule: advice('pages link this style sheet; a temporary name in it finds no font'),
  severity: 'unwise',
  dependsOn: id === 'fonts-css-quoted' ? 'fonts-served' : 'fonts-css-quoted',
  run: async (bench) => {
    const word = bench.run.fresh()
    const content = Object.fromEntries(files.map((file, at) => [file, font(`${word} ${at}`)]))
    const delivered = await bench.fonts({ files: content, css: css((file) => `dummy-${file}`) })
    return verdict('every URL serves its file', await whySheetUrlsWrong(bench, delivered, files))
  },
})

/** Style sheet references in every notation. */
export const styleSheet: readonly Case[] = [
  sheet(
    'fonts-css-quoted',
    'Quoted references in the style sheet become public URLs',
    ['A.woff2', 'B.woff'],
    (dummy) =>
      `@font-face{font-family:A;src:url("${dummy('A.woff2')}") format("woff2"),url('${dummy('B.woff')}') format("woff")}`,
  ),
  sheet(
    'fonts-css-bare',
    'References without quotes become public URLs',
    ['A.woff2', 'B.woff'],
    (dummy) =>
      `@font-face{font-family:A;src:url(${dummy('A.woff2')}) format('woff2'),url( ${dummy('B.woff')} ) format('woff');}`,
  ),
  sheet(
    'fonts-css-suffix',
    'References followed by ?#iefix become public URLs',
    ['A.eot', 'A.woff'],
    (dummy) =>
      `@font-face{font-family:A;src:url('${dummy('A.eot')}?#iefix') format('embedded-opentype'),url('${dummy('A.woff')}#a') format('woff')}`,
  ),
  sheet(
    'fonts-css-prefix',
    'One file name that begins with another is not broken',
    ['A.woff', 'A.woff2'],
    (dummy) => `@font-face{font-family:A;src:url(${dummy('A.woff')}),url(${dummy('A.woff2')})}`,
  ),
  sheet(
    'fonts-css-blank',
    'A file name with a space becomes a complete URL',
    ['Open Sans.woff2'],
    (dummy) => `@font-face{font-family:A;src:url("${dummy('Open Sans.woff2')}")}`,
  ),
  {
    id: 'fonts-css-absolute',
    name: 'URLs in the style sheet that are already public stay unchanged',
    rule: advice('only temporary names are to be replaced'),
    severity: 'unwise',
    dependsOn: 'fonts-served',
    run: async (bench) => {
      const far = 'https://example.com/fonts/dummy-far.woff2'
      const files = { 'A.woff2': font(bench.run.fresh()) }
      const css = `@font-face{font-family:A;src:url(${far}),url(dummy-A.woff2)}`
      const sheet = await fetchSheet(bench, await bench.fonts({ files, css }))
      const why = 'why' in sheet ? sheet.why : addressesIn(sheet.css)[0] === far ? null : 'another address'
      return verdict('the unchanged URL', why)
    },
  },
]
