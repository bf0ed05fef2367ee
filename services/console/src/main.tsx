import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './style/colours.css';
import './style/page.css';
import './style/controls.css';
import './style/table.css';
import './style/turn.css';

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no #root to draw into');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
