import type { TestArchive, TestEntry } from '../zip.ts'
import { aZip } from '../zip.ts'

export const page = '<h1>Hello</h1><img src="dummy-a.png">'
export const state = '{"assets":{"a.png":{"clientUrl":"dummy-a.png"}}}'

/** The entries of a small valid save. `more` come last, and replace those with the same name. */
export function saveEntries(...more: readonly TestEntry[]): readonly TestEntry[] {
  const sound: readonly TestEntry[] = [
    { name: 'vms_html.html', data: page },
    { name: 'vms_json.json', data: state },
    { name: 'vms_media/a.png', data: 'the picture' },
  ]
  const replaced = new Set(more.map((entry) => entry.name.toString()))
  return [...sound.filter((entry) => !replaced.has(entry.name.toString())), ...more]
}

export const aSave = (more: readonly TestEntry[] = [], archive: TestArchive = {}): Buffer =>
  aZip(saveEntries(...more), archive)
