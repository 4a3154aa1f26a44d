import type { Theme } from '../suite/case.ts'
import { answered } from './fonts/answer.ts'
import { delivered } from './fonts/delivery.ts'
import { styleSheet } from './fonts/style-sheet.ts'
import { unusable } from './fonts/unusable.ts'
import { unusual } from './fonts/unusual.ts'

export const fonts: Theme = {
  title: 'Fonts',
  runs: 'fonts',
  dependsOn: 'fonts-accepted',
  cases: [...answered, ...styleSheet, ...unusual, ...unusable, ...delivered],
}
