let context: AudioContext | undefined;

/** Two short tones. A browser that has not been clicked yet stays silent. */
export function beep(): void {
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  for (const [i, frequency] of [660, 880].entries()) {
    const at = currentTime + i * 0.14;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.15, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.13);
    tone.connect(volume).connect(destination);
    tone.start(at);
    tone.stop(at + 0.14);
  }
}
