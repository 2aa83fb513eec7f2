((CHUNKS, SETTINGS)=>{let made;
(()=>{function o(e){let[,n,t,l]=/surehand-(\w+)\.js:(\d+):(\d+)/.exec(String(e&&e.stack))||[],g={message:String(e&&e.message||e).slice(0,i),script:n||"",line:Number(t)||0,column:Number(l)||0,url:location.href.
slice(0,i)};return new Error(SETTINGS.fault_mark+encodeURIComponent(JSON.stringify(g)))}var i=300,S=eval,r={},s="lacking ";function c(e){if(!r[e]&&!CHUNKS[e])throw new Error(s+e);return r[e]||=S(CHUNKS[e])(
SETTINGS,c)}function a(){return r.core||c("core").provideChunks(c),r.core}var u={queryAll(e,n){try{return a().ask(e,JSON.parse(decodeURIComponent(n)))}catch(t){throw o(t)}},async serve(e){try{return await a().
serve(e)}catch(n){let t=String(n&&n.message);return t.startsWith(s)?{lacks:t.slice(s.length)}:{fault:o(n).message}}},provide(e){Object.assign(CHUNKS,e)}};made=u;})();
return made})
