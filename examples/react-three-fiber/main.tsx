// A viewer that paints two parts amber as soon as they are closer than a clearance, red when they meet, and says how close.
import { Canvas } from '@react-three/fiber';
import { type CpuScene, open } from 'nearfield';
import { meshFromGeometry } from 'nearfield/three';
import { useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { BoxGeometry, Matrix4, TorusKnotGeometry } from 'three';

const clearance = 0.2;
const knot = new TorusKnotGeometry(1, 0.3, 160, 24);
const block = new BoxGeometry(0.6, 0.6, 0.6);

/** How far apart the two parts are if that is less than the clearance, for a block moved by `shift`. */
function useClearance(shift: number): number | undefined {
  const [scene, setScene] = useState<CpuScene>();
  const [near, setNear] = useState<number>();

  useEffect(() => {
    const opened = open({ backend: 'cpu' });
    opened.then(nf => {
      const made = nf.scene();
      made.add(meshFromGeometry(knot), { name: 'knot' });
      made.add(meshFromGeometry(block), { name: 'block' });
      setScene(made);
    });
    return () => void opened.then(nf => nf.close());
  }, []);

  useEffect(() => {
    if (scene === undefined) return;
    const stop = new AbortController(); // a newer position makes this question stale
    scene.bodies[1].pose = new Matrix4().makeTranslation(shift, 0, 0).elements;
    scene
      .within(clearance, { signal: stop.signal })
      .then(pairs => setNear(pairs[0]?.distance))
      .catch(error => {
        if (!stop.signal.aborted) throw error;
      });
    return () => stop.abort();
  }, [scene, shift]);
  return near;
}

function Viewer() {
  const [shift, setShift] = useState(2);
  const near = useClearance(shift);
  const color = useMemo(() => (near === undefined ? '#4a7fb5' : near > 0 ? '#d9a441' : '#c2263f'), [near]);
  const said =
    near === undefined
      ? `at least ${clearance} apart`
      : near > 0
        ? `${near.toFixed(4)} apart: too close`
        : 'they meet';
  return (
    <>
      <Canvas camera={{ position: [0, 3, 6] }} style={{ height: '80vh' }}>
        <hemisphereLight intensity={2.5} />
        <directionalLight position={[3, 5, 4]} intensity={2} />
        <mesh geometry={knot}>
          <meshStandardMaterial color={color} />
        </mesh>
        <mesh geometry={block} position={[shift, 0, 0]}>
          <meshStandardMaterial color={color} />
        </mesh>
      </Canvas>
      <label>
        move the block{' '}
        <input
          type="range"
          min={1}
          max={3}
          step={0.001}
          value={shift}
          onChange={event => setShift(Number(event.target.value))}
        />
      </label>
      <output>{said}</output>
    </>
  );
}

createRoot(document.querySelector('main')!).render(<Viewer />);
