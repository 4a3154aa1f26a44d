/** Loaded into a measured command before its own code: writes the most memory it ever held, in KB, into a file at its end. */
const { writeFileSync } = require('node:fs')

process.on('exit', () => {
  if (process.env.BENCH_PEAK_FILE) writeFileSync(process.env.BENCH_PEAK_FILE, String(process.resourceUsage().maxRSS))
})
