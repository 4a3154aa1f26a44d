// Time zones of sites, by their names in the IANA database. A wall time is what a clock there shows, as `2026-05-01T20:30`.

/** Whether the text has the form of a zone's name, on every computer, also where the name is not known. */
export const isZoneForm = (text: string): boolean =>
  text.length <= 64 && /^[A-Za-z][\w+-]*(?:\/[A-Za-z0-9][\w+-]*){0,2}$/.test(text)

/** Prints the offset of a zone at a moment, and little else; null: this computer does not know the zone. */
function formatIn(name: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset', year: 'numeric' })
  } catch {
    return null
  }
}

/** A name that a person typed, in its usual letter case; null: there is no such zone. */
export function readTimeZone(text: string): string | null {
  const name = text.trim()
  const known = isZoneForm(name) ? formatIn(name)?.resolvedOptions().timeZone : undefined
  if (known === undefined) return null
  // Another name is an alias, which people may prefer: Europe/Kyiv is known as Europe/Kiev.
  return known.toLowerCase() === name.toLowerCase() ? known : name
}

const dayMs = 86_400_000

/** A zone by its name, or UTC where this computer does not know it. Moments are ISO 8601 UTC. */
export function timeZone(name: string) {
  const format = formatIn(name)

  /** Milliseconds that clocks there are ahead of UTC. */
  function offsetAt(ms: number): number {
    const text = Number.isNaN(new Date(ms).getTime()) ? '' : (format?.format(ms) ?? '')
    const [, sign, hours = 0, minutes = 0, seconds = 0] = /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(text) ?? []
    const ahead = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -ahead : ahead
  }

  /** The wall time at a moment, to the millisecond. A moment beyond the calendar is returned as it is. */
  function wallOf(moment: string): string {
    const ms = Date.parse(moment)
    const wall = new Date(ms + offsetAt(ms))
    return (Number.isNaN(wall.getTime()) ? moment : wall.toISOString()).replace(/Z$/, '')
  }

  return {
    name: format === null ? 'UTC' : name,
    wallOf,
    /** The day at a moment, as `2026-05-01`. */
    dayOf: (moment: string): string => wallOf(moment).replace(/T.*$/s, ''),
    /**
     * The moment of a wall time; null if it is none. When clocks go back, a time comes twice and the first one counts. When they
     * go forward, some times never come; such a time is as long after the change as it would have been.
     */
    momentOf(wall: string): string | null {
      const ms = Date.parse(`${wall}Z`)
      const [before, after] = [offsetAt(ms - dayMs), offsetAt(ms + dayMs)]
      const shown = [ms - before, ms - after].filter((at) => at + offsetAt(at) === ms)
      const found = new Date(shown.length === 0 ? ms - before : Math.min(...shown))
      return Number.isNaN(found.getTime()) ? null : found.toISOString()
    },
  }
}

export type TimeZone = ReturnType<typeof timeZone>
