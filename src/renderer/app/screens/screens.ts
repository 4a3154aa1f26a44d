import type { ScreenName } from '../../navigation/view.ts'
import { callbacksScreen } from './callbacks.tsx'
import { fontsScreen } from './fonts.tsx'
import { healthScreen } from './health.tsx'
import { materialScreen } from './material.tsx'
import { materialsScreen } from './materials.tsx'
import { publishScreen } from './publish.tsx'
import type { Screen } from './screen.ts'
import { settingsScreen } from './settings.tsx'

export const screens: { readonly [Name in ScreenName]: Screen<Name> } = {
  materials: materialsScreen,
  material: materialScreen,
  callbacks: callbacksScreen,
  fonts: fontsScreen,
  publish: publishScreen,
  health: healthScreen,
  settings: settingsScreen,
}
