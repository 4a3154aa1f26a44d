import type { ScreenName } from '../../navigation/view.ts'
import { callbacksScreen } from './callbacks.tsx'
import { exportsScreen } from './exports.tsx'
import { fontsScreen } from './fonts.tsx'
import { healthScreen } from './health.tsx'
import { materialScreen } from './material.tsx'
import { materialsScreen } from './materials.tsx'
import type { Screen } from './screen.ts'
import { settingsScreen } from './settings.tsx'

export const screens: { readonly [Name in ScreenName]: Screen<Name> } = {
  materials: materialsScreen,
  material: materialScreen,
  callbacks: callbacksScreen,
  fonts: fontsScreen,
  exports: exportsScreen,
  health: healthScreen,
  settings: settingsScreen,
}
