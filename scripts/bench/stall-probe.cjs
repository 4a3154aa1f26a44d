/**
 * Loaded into the measured process before its own code: says on request for how long its event loop stood still at most
 * since the last request. CommonJS and without imports of ours, so that it adds next to nothing to what is measured.
 */
const { monitorEventLoopDelay } = require('node:perf_hooks')

const resolutionMs = 1
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
delay.enable()
process.on('message', () => {
  // The time between two ticks of a timer holds the timer's own interval.
  process.send({ maxMs: Math.max(0, delay.max / 1e6 - resolutionMs) })
  delay.reset()
})
// Whoever measures has ended, or was ended: nobody is left to stop this process.
process.on('disconnect', () => process.exit())
process.channel?.unref()
