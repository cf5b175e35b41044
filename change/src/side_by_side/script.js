if(document.querySelector(".sides")){
const svg=document.querySelector(".sides svg");
const sides=document.querySelector(".sides");
const other=id=>document.getElementById(id.slice(0,-1)+(id.endsWith("a")?"b":"a"));
// Joins both ends of every passage by a band, and of every move by a line; what moved is short, the line is faint.
function draw(){
const box=sides.getBoundingClientRect();
const columns=[...sides.querySelectorAll("section")].map(one=>one.getBoundingClientRect());
const left=columns[0].right-box.left,right=columns[1].left-box.left,middle=(left+right)/2;
let shapes="";
for(const one of sides.querySelectorAll("[id$=a]")){
const two=other(one.id);
if(!two)continue;
const a=one.getBoundingClientRect(),b=two.getBoundingClientRect();
const [a0,a1,b0,b1]=[a.top-box.top,a.bottom-box.top,b.top-box.top,b.bottom-box.top];
const name=`data-of="${one.id.slice(0,-1)}"`;
if(one.id[0]==="p")shapes+=`<polygon ${name} points="${left},${a0} ${right},${b0} ${right},${b1} ${left},${a1}"/>`;
else{const [y0,y1]=[(a0+a1)/2,(b0+b1)/2];
const few=one.textContent.length<24?' class="few"':"";
shapes+=`<path ${name}${few} d="M${left},${y0} C${middle},${y0} ${middle},${y1} ${right},${y1}"/>`;}
}
svg.innerHTML=shapes;
}
function light(id,on){
const name=id.slice(0,-1);
for(const one of [document.getElementById(name+"a"),document.getElementById(name+"b"),svg.querySelector(`[data-of="${name}"]`)])
if(one)one.classList.toggle("on",on);
}
for(const one of sides.querySelectorAll("[id]")){
one.tabIndex=0;
for(const come of ["mouseenter","focus"])one.addEventListener(come,()=>light(one.id,true));
for(const go of ["mouseleave","blur"])one.addEventListener(go,()=>light(one.id,false));
const jump=()=>other(one.id)?.scrollIntoView({block:"center",behavior:"smooth"});
one.addEventListener("click",jump);
one.addEventListener("keydown",event=>{if(event.key==="Enter")jump()});
}
new ResizeObserver(draw).observe(sides);
}
