import { expect, it } from 'vitest'

import { chosenShortcuts } from '../../../packages/library/records/shortcuts.ts'

it('chosen keys replace those of a command, none turn them off, and unknown commands are ignored', () => {
  expect(chosenShortcuts({ 'material.new': 'Mod+J', 'help.open': '', 'no.command': 'X' })).toEqual({
    'material.new': ['Mod+J'],
    'help.open': [],
  })
})

it('shortcuts of an earlier version for the exports screen open the publish section', () => {
  expect(chosenShortcuts({ 'go.exports': 'Mod+J' })).toEqual({ 'go.publish': ['Mod+J'] })
})
