((CHUNKS, SETTINGS)=>{
"use strict";var made=(()=>{var o=Object.defineProperty;var S=Object.getOwnPropertyDescriptor;var d=Object.getOwnPropertyNames;var N=Object.prototype.hasOwnProperty;var f=(e,n)=>{for(var t in n)o(e,t,{get:n[t],enumerable:!0})},h=(e,n,t,s)=>{if(n&&typeof n=="object"||typeof n=="function")for(let r of d(n))!N.call(e,r)&&r!==t&&o(e,r,{get:()=>n[r],enumerable:!(s=S(n,
r))||s.enumerable});return e};var y=e=>h(o({},"__esModule",{value:!0}),e);var p={};f(p,{engine:()=>k});function u(e){let[,n,t,s]=/surehand-(\w+)\.js:(\d+):(\d+)/.exec(String(e&&e.stack))||[],r={message:String(e&&e.message||e).slice(0,l),script:n||"",line:Number(t)||0,column:Number(
s)||0,url:location.href.slice(0,l)};return new Error(SETTINGS.fault_mark+encodeURIComponent(JSON.stringify(r)))}var l=300,m=eval,c={},i="lacking ";function a(e){if(!c[e]&&!CHUNKS[e])throw new Error(i+
e);return c[e]||=m(CHUNKS[e])(SETTINGS,a)}function g(){return c.core||a("core").provideChunks(a),c.core}var k={queryAll(e,n){try{return g().ask(e,JSON.parse(decodeURIComponent(n)))}catch(t){throw u(t)}},
async serve(e){try{return await g().serve(e)}catch(n){let t=String(n&&n.message);return t.startsWith(i)?{lacks:t.slice(i.length)}:{fault:u(n).message}}},provide(e){Object.assign(CHUNKS,e)}};return y(p);})();
return made.engine})
