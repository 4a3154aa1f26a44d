import { expect, it } from 'vitest'

import { chosenShortcuts } from '../../../packages/library/records/shortcuts.ts'

it('chosen keys replace those of a command, none turn them off, and unknown commands are ignored', () => {
  expect(chosenShortcuts({ 'material.new': 'Mod+J', 'help.open': '', 'no.command': 'X' })).toEqual({
    'material.new': ['Mod+J'],
    'help.open': [],
  })
})
