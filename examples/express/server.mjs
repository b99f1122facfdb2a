// A service: POST /check with {"files": [{"name": "a.stl", "base64": "…"}, …]} answers which bodies meet, and how.
// Listens on this machine only. PORT is the port, 3000 if not given.
import { readFile } from '@nearfield/io';
import express from 'express';
import { NearfieldError, open } from 'nearfield';

const nf = await open({ backend: 'cpu' });
const app = express();
app.use(express.json({ limit: '64mb' }));

app.post('/check', async (request, response) => {
  const files = request.body?.files;
  if (!Array.isArray(files))
    return response.status(400).json({ error: 'expected {"files": [{"name", "base64"}]}' });
  const cancel = new AbortController();
  response.on('close', () => cancel.abort()); // nobody waits any more
  const scene = nf.scene();
  try {
    for (const { name, base64 } of files) {
      const { bodies } = await readFile(String(name), Buffer.from(String(base64), 'base64'), {
        signal: cancel.signal,
      });
      for (const body of bodies) scene.add(body.mesh, { pose: body.pose, name: body.name });
    }
    const answer = await scene.interferences({ detail: 'any', signal: cancel.signal });
    await answer.relations();
    response.json({ pairs: answer.pairs.map(({ a, b, relation }) => ({ a: a.name, b: b.name, relation })) });
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    response.status(422).json({ code: error.code, error: error.message });
  } finally {
    scene.close();
  }
});

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', error => {
  if (error) throw error; // the port is taken: PORT names another
  console.log(`listening on http://127.0.0.1:${server.address().port}/check`);
});
