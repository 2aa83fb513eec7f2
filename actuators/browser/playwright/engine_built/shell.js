((CORE, MORE, SETTINGS)=>{
"use strict";var made=(()=>{var s=Object.defineProperty;var l=Object.getOwnPropertyDescriptor;var i=Object.getOwnPropertyNames;var u=Object.prototype.hasOwnProperty;var m=(e,n)=>{for(var t in n)s(e,t,{get:n[t],enumerable:!0})},S=(e,n,t,o)=>{if(n&&typeof n=="object"||typeof n=="function")for(let c of i(n))!u.call(e,c)&&c!==t&&s(e,c,{get:()=>n[c],enumerable:!(o=l(n,
c))||o.enumerable});return e};var d=e=>S(s({},"__esModule",{value:!0}),e);var T={};m(T,{engine:()=>E});function p(e){let[,n,t,o,c]=/(?:at (?:new )?([\w.$]+) )?\(?surehand-(core|more|shell)\.js:(\d+):(\d+)/.exec(String(e&&e.stack))||[],a={message:String(e&&e.message||e).slice(
0,r),function:n||"",script:t||"",line:Number(o)||0,column:Number(c)||0,url:location.href.slice(0,r)};return new Error(SETTINGS.fault_mark+encodeURIComponent(JSON.stringify(a)))}var r=300;function N(){
let e=eval,n=e(CORE)(SETTINGS);return n.provideMore(()=>e(MORE)(SETTINGS,n)),n.ask}var f,E={queryAll(e,n){try{return(f||=N())(e,JSON.parse(decodeURIComponent(n)))}catch(t){throw p(t)}}};return d(T);})();
return made.engine})
